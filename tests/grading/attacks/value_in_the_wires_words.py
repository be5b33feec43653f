# lesson: 01
# verdict: FAILED
# shows: A mapping that is written as the grader writes its own values is a mapping.


def count_duplicates(keys_of_effects, approved):
    return {"$": "int", "is": "1"}
