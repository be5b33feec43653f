"""Says a verdict in words that help: what happened in the world, and where to look next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lab.exercises.verdict import FAILED, NOT_ATTEMPTED, PASSED, Difference, Played, Verdict
from lab.faults.show import say
from lab.guest.wire import Other

if TYPE_CHECKING:
    from lab.exercises.exercise import Exercise
    from lab.guest.wire import Raised

LOOP = "Look for a loop that never ends: what has to change so that it stops?"
INTERRUPTED = f"It was stopped before it came to an end. {LOOP}"
SILENT = "Its process ended without a word: does something in it stop Python, or use it up?"
TOO_LONG = f"It did not come to an end in the time that it has. {LOOP}"
KEYBOARD = "It asks for something to be typed, and grading has no keyboard."
MEMORY = "It used up all the memory that it may have. What grows there, and never stops growing?"
PRINTED_LINES = 8
STORY_LINES = 24
MARKS = {True: "ok ", False: "NO "}
_hinted: dict[str, int] = {}


def not_yet(exercise: Exercise) -> str:
    """Say what to do with an exercise that nobody has touched."""
    wanted = " and ".join(exercise.defines)
    return (
        f"Write {wanted} in the cell above, run it, then run this one again. Stuck? "
        "exercise.hint() gives the first of three hints, exercise.solution() shows a solution."
    )


def stopped(exercise: Exercise, said: Raised) -> str:
    """Say which error stopped the learner's code, and where."""
    where = f" in line {said.line} of its cell" if said.line else ""
    code = f": {said.code}" if said.code else ""
    if said.name == "NotImplementedError":
        return (
            f"A line that stands for what is to be written is still there{where}{code}. Delete it: "
            "Python stops there, whatever stands around it."
        )
    text = f" ({said.text})" if said.text else ""
    return f"Your code stopped with {said.name}{text}{where}{code}."


def came_from(said: Raised) -> str:
    """Say where an error came from that a known mistake let out; a paragraph of its own."""
    return f"\n\n{said.name} came out of line {said.line}: {said.code}"


def tell(verdict: Verdict, exercise: Exercise) -> None:
    """Print a verdict: what went wrong, what was tried, and the next step."""
    points = f", {verdict.earned} of {verdict.points} points"
    told = verdict.status + ("" if verdict.status == NOT_ATTEMPTED else points)
    paragraph(f"{exercise.title}: {told}")
    if verdict.says:
        print()
        paragraph(verdict.says)
    if verdict.about and not verdict.stopped:  # else what came of it says nothing
        detail(
            next(one for one in verdict.played if one.name == verdict.about),
            known=bool(verdict.mistake),
        )
    if verdict.status == PASSED:
        print()
        paragraph(exercise.why)
    if verdict.played:
        print("\nWhat was tried, and whether it came out as it should:")
    for one in verdict.played:
        paragraph(f"{MARKS[one.passed]} {one.title}", indent="    ")
    if idle := nothing_achieved(verdict, exercise):
        print()
        paragraph(f"Nothing counts before this does: {idle}")
    if verdict.status == FAILED:
        print("\nThe next hint: exercise.hint()   A solution: exercise.solution()")


def nothing_achieved(verdict: Verdict, exercise: Exercise) -> str:
    """Return what has to be achieved and is not, where other things did come out right."""
    passed = {one.name: one.passed for one in verdict.played}
    missing = [one.title for one in exercise.scenarios if one.live and not passed.get(one.name)]
    return missing[0] if missing and any(passed.values()) else ""


def wrong(one: Played) -> str:
    """Say which scenario went wrong."""
    return f"Here it went wrong: {one.title}"


def detail(one: Played, known: bool) -> None:
    """Print how one scenario differs; its story too, where nothing else was said of it."""
    print()
    paragraph(wrong(one))
    for difference in one.differences:
        for label, should_be, found in singled(difference):
            paragraph(
                f"- {label}: {shown(found)}, and it should be {shown(should_be)}", indent="  "
            )
    if one.story and not known:
        print("\nWhat happened there:")
        for line in shortened(one.story):
            print(f"  {line}")
    if one.printed:
        print("\nYour code printed there:")
        for line in one.printed.splitlines()[:PRINTED_LINES]:
            print(f"  {line[:100]}")


def singled(difference: Difference) -> Iterator[Difference]:
    """Yield a difference; of two lists of one length, only the places that differ."""
    label, should_be, found = difference
    if isinstance(found, list) and isinstance(should_be, list) and len(found) == len(should_be) > 1:
        for place, (due, got) in enumerate(zip(should_be, found, strict=True), 1):
            if repr(due) != repr(got):  # 1 and True are not the same
                yield Difference(f"{label} ({place} of {len(found)})", due, got)
    else:
        yield difference


def shortened(story: Sequence[str]) -> Sequence[str]:
    """Leave out the middle of a long story: its end is what it came to."""
    if len(story) <= STORY_LINES:
        return story
    return [*story[: STORY_LINES - 2], "...", story[-1]]


def shown(value: Any) -> str:
    """Return a fact as a reader would say it."""
    if value is None:
        return "nothing"
    if isinstance(value, Other):
        return f"{value.text} ({value.type})"
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return "; then ".join(value) or "nothing"
    if isinstance(value, str):
        return value or "an empty text"
    return f"{value!r:.300}"


def hint(exercise: Exercise, number: int | None) -> None:
    """Print one hint: the next one, or the one that is asked for."""
    last = len(exercise.hints)
    if number is None:
        number = _hinted[exercise.name] = min(_hinted.get(exercise.name, 0) + 1, last)
    if type(number) is not int or not 1 <= number <= last:
        paragraph(f"There are hints 1 to {last}: exercise.hint(1) is the first.")
        return
    paragraph(f"Hint {number} of {last}. {exercise.hints[number - 1]}")
    if number == last:
        print("That was the last one. A solution: exercise.solution()")


def paragraph(text: str, indent: str = "") -> None:
    """Print a text in lines of a page's width; what has lines of its own keeps them."""
    for part in text.splitlines() or [""]:
        if part.startswith("    "):
            print(part)
        else:
            say(part, indent=indent)
