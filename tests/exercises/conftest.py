"""Gives the tests of `four_ways` the exercises that their file names."""

import pytest

from tests.exercises.answering import answers_to


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every exercise, or for every answer to it, that its file asks for."""
    names = getattr(metafunc.module, "ASKED", ())
    if not names:
        return
    for wanted, step in (("answer", 1), ("one_in_four", 4)):
        if wanted in metafunc.fixturenames:
            every = [(name, answer) for name in names for answer in answers_to(name)[::step]]
            ids = [f"{name}: {answer.what}" for name, answer in every]
            metafunc.parametrize(("name", wanted), every, ids=ids)
            return
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names)
