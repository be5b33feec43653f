"""One file for each exercise; its known mistakes stand in one beside it where they are many."""
