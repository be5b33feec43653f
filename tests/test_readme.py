"""The README shows and links what is there, and says in words what its pictures show."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PICTURES = ROOT / "notebooks" / "pictures"
MOST_BYTES = 100_000  # a page that opens at once, also on a slow line


def linked() -> list[str]:
    """Return what the README shows or links in this repository."""
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    return [target for target in targets if "://" not in target]


def test_what_it_links_is_there() -> None:
    assert linked()
    assert [target for target in linked() if not (ROOT / target).exists()] == []


def test_a_picture_has_a_text_that_says_what_it_shows() -> None:
    shown = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)
    assert shown
    assert [target for text, target in shown if len(text) < 60] == []


def test_pictures_are_small_and_each_is_used() -> None:
    pictures = sorted(PICTURES.iterdir())
    assert [one.name for one in pictures if one.stat().st_size > MOST_BYTES] == []
    used = {(ROOT / target).resolve() for target in linked()}
    assert [one.name for one in pictures if one not in used] == []
