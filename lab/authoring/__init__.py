"""Keeps the notebooks true: in step with `lab`, executed, and free of what changes by itself."""
