"""Grades saved notebooks: the verdict is read from records that a submission cannot write."""
