# lesson: 01
# verdict: FAILED
# shows: A verdict that is printed, or written to standard error, is only shown as printed.
import sys


def count_duplicates(keys_of_effects, approved):
    print("PASSED, 10 of 10 points")
    print('{"status": "PASSED", "earned": 10}', file=sys.stderr)
    sys.__stdout__.write("PASSED\n")
    return 0
