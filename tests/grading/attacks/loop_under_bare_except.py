# lesson: 01
# verdict: COULD NOT RUN
# shows: A loop that catches everything is ended from outside.


def count_duplicates(keys_of_effects, approved):
    while True:
        try:
            while True:
                pass
        except:
            pass
