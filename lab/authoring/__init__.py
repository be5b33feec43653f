"""Makes the learner's edition of the lessons, and keeps both true: executed, in step with `lab`."""
