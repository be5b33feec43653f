"""Gives the tests of `four_ways` the exercises that their file names."""

import pytest

from tests.exercises.answering import answers_to


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every exercise, or for every answer to it, that its file asks for."""
    names = getattr(metafunc.module, "ASKED", ())
    if "answer" in metafunc.fixturenames and names:
        every = [(name, answer) for name in names for answer in answers_to(name)]
        ids = [f"{name}: {answer.what}" for name, answer in every]
        metafunc.parametrize(("name", "answer"), every, ids=ids)
    elif "name" in metafunc.fixturenames and names:
        metafunc.parametrize("name", names)
