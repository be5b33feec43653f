"""The predictions of lesson 03."""

from __future__ import annotations

QUESTIONS = {
    "Two programs write one content, each in its own order. How many hashes do they get?": (
        "2",
        {
            "1": "Python says that the two dictionaries are equal, and equal things should hash "
            "alike. But what is hashed is the text, and json.dumps writes names in the order in "
            "which they came. The run below shows 2.",
            "2": "json.dumps keeps the order in which the names came, so there are two texts.",
            "it depends": "many details of JSON do depend on the program that writes it. This one "
            "does not: json.dumps keeps the order of the names. The run below shows 2.",
        },
    ),
}
