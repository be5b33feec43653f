# lesson: 10
# verdict: FAILED
# shows: A test that is content with everything is no test.


def reuse_test(execute, action, ledger, provider):
    return None
