"""One file for each exercise: what is asked, what happens, and which mistakes are known."""
