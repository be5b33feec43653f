# lesson: 01
# verdict: COULD NOT RUN
# shows: An answer that ends its process with the code of success has no verdict.
import os


def count_duplicates(keys_of_effects, approved):
    os._exit(0)
