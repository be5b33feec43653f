"""What the lessons ask: a choice before a run, and the pieces that the learner writes."""

from lab.exercises.predict import predict

__all__ = ["predict"]
