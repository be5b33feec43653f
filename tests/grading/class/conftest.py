"""What a class hands in is graded, and not run as this course's own notebooks are."""

collect_ignore = ["submissions"]
