# lesson: 01
# verdict: COULD NOT RUN
# shows: A loop that ignores every signal is ended from outside.
import signal


def count_duplicates(keys_of_effects, approved):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
