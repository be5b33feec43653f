"""A safety boundary between workflows that propose actions and the world that carries them out."""

__version__ = "1.0.0"
NEEDED_PYTHON = (3, 11)
