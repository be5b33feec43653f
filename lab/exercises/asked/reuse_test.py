"""Lesson 10: a test of the learner's own, run on gateways that keep a promise and on others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import NoReturn

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.reuse import (
    CASES,
    OTHER_CONTENT,
    OTHER_KEY,
    OTHER_KIND,
    OTHER_TEMPLATE,
    SILENCE,
    THE_ACTION,
    Case,
    Watched,
    comparing,
    content,
)
from lab.exercises.stage import CIRCLES, STOPPED, UNFINISHED, Facts, Stage
from lab.faults.clock import MINUTE_MS, ManualClock
from lab.gateway import (
    READABLE,
    UNKNOWN,
    Action,
    DemoProvider,
    KeyReused,
    Ledger,
    Outcome,
    Row,
)
from lab.guest import wire


def reuse_test(
    execute: Callable[..., Outcome], action: Action, ledger: Ledger, provider: DemoProvider
) -> None:
    """Return if the gateway keeps the promise, raise AssertionError if it does not."""
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    changed = Action(action.key, action.kind, {**action.payload, "template": "another"})
    for _ in range(2):
        try:
            outcome = execute(changed, ledger, provider)
        except ValueError:
            continue
        raise AssertionError(f"it was not refused: {outcome}")
    assert (ledger.get(action.key), provider.requests()) == before, "it left a trace"


def sent_anew(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Send it under a key of its own, then refuse."""
    provider.perform(replace(action, key=f"{action.key}:anew"), 1)
    raise KeyReused(action.key)


def used_up(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Leave the approved action no attempt, and its state as it is; then refuse."""
    ledger.change(row, row.state, "somebody brought other data", attempts_allowed=row.attempts)
    raise KeyReused(action.key)


MORE = (
    Case("sent anew", "Broken: it sends under a new key, and raises a ValueError then.", False,
         comparing(content, lambda: sent_anew)),
    Case("used up", "Broken: it raises a ValueError, and takes the action's last attempts away.",
         False, comparing(content, lambda: used_up, (UNKNOWN,)), SILENCE),
)  # fmt: skip

FINDS = "your test finds"
FAULTLESS = "nothing wrong"
BROKEN = "a broken promise"
BROUGHT = " (it brought "
SHOWN = 60  # characters of what the learner's test says
TOLD = 6  # lines of what the gateway was brought


def tried(stage: Stage, case: Case) -> Facts:
    """Let the learner's test judge one gateway, in a fresh world; say what it finds."""
    approved, clock = stage.action(), ManualClock(10 * MINUTE_MS)
    faults = {approved.key: [case.fault]}
    with (
        closing(case.ledger(":memory:", clock)) as ledger,
        closing(DemoProvider(":memory:", READABLE, clock, faults)) as provider,
    ):
        watched = Watched(case.make(approved), approved, ledger, provider)
        stage.story = lambda: watched.log[:TOLD]
        execute = watched.execute()
        things = {"execute": execute, "ledger": ledger, "demo provider": provider}
        try:
            value = stage.call("reuse_test", execute, approved, ledger, provider, things=things)
        except Exception as error:
            found, detail = verdict_of(error, watched)
        else:
            found = FAULTLESS
            detail = "" if value is None else f", and returns {wire.shown(value).text}"
    if found == STOPPED:
        return {STOPPED: detail}
    stage.player.said = None  # it was a verdict
    if found == (FAULTLESS if case.keeps else BROKEN) and looked(watched, case):
        return {FINDS: found}
    return {FINDS: f"{found}{detail}{BROUGHT}{', then '.join(watched.brought) or 'nothing'})"}


def looked(watched: Watched, case: Case) -> bool:
    """Tell whether a gateway was brought what has to be brought to it; else the finding is a guess.

    One that keeps the promise has to be seen refusing; one that breaks it may do so at once.
    """
    changed = set(watched.brought) - {THE_ACTION}
    return bool(changed if case.keeps else watched.brought)


def verdict_of(error: Exception, watched: Watched) -> tuple[str, str]:
    """Say what it means that a test ended with an error: what it finds, and a detail."""
    told = getattr(error, "told", None)
    name, classes = (told.name, told.classes) if told else (type(error).__name__, ())
    if "AssertionError" in classes or name == "Failed":  # pytest's
        text = " ".join(str(error).split())
        return BROKEN, f", {text[:SHOWN]!r}" if text else ""
    if watched.passed_on(error):
        return BROKEN, f", for it ends with {name}"
    return (STOPPED, name) if name in UNFINISHED else (name, ", which is no verdict")


# What tells one mistake from another: is the finding wrong, and what was brought?


def wrong(seen: Seen, *cases: str) -> bool:
    """Tell whether the test is wrong about each of these gateways."""
    return all(BROUGHT in str(seen(case, FINDS)) for case in cases)


def brought(seen: Seen, case: str) -> str:
    """Return what was brought to a gateway that the test is wrong about."""
    return str(seen(case, FINDS)).rpartition(BROUGHT)[2].removesuffix(")")


def scenario(case: Case) -> Scenario:
    """Return the scenario in which the learner's test judges one gateway."""
    live = case.name in ("own", "nothing")
    return Scenario(case.name, case.title, lambda stage: tried(stage, case), live)


exercise = Exercise(
    name="reuse_test",
    lesson="10",
    title="Test that a used key is refused",
    defines=("reuse_test",),
    takes=("execute", "action", "ledger", "provider"),
    points=15,
    in_any_order=True,
    imports=("pytest",),
    scenarios=tuple(map(scenario, (*CASES, *MORE))),
    mistakes=(
        Mistake(
            "never ends",
            "Your test brings the changed action again and again, and there is nothing at which "
            "it stops. So nobody learns whether the gateway is a good one, and the night run "
            "hangs. Twice is enough.",
            lambda seen: CIRCLES in str(seen("own", STOPPED)),
        ),
        Mistake(
            "nothing is brought",
            "Your test never called `execute`, so it says the same of every gateway, whatever "
            "that gateway does. One that breaks the promise goes into use, or one that keeps it "
            "is blamed. First let `execute` do the action; then bring the changed one.",
            lambda seen: "nothing" in (brought(seen, "own"), brought(seen, "nothing")),
        ),
        Mistake(
            "the changed one is never brought",
            "Your test let `execute` do the approved action, and never brought it the changed one. "
            "What others say when they are asked is not what the gateway does with it, and that is "
            "what reaches the lead. Call `execute` with the changed action as well.",
            lambda seen: wrong(seen, "own") and brought(seen, "own") == THE_ACTION,
        ),
        Mistake(
            "the first action is never sent",
            "Your test brought the changed action to a gateway that had seen nothing yet. There "
            "the key is new, so to send it is right, and the gateway was blamed all the same. Let "
            "`execute` do the approved action first: only then is the key used.",
            lambda seen: wrong(seen, "own") and THE_ACTION not in brought(seen, "own"),
        ),
        Mistake(
            "the key changes, too",
            "Your test brought another key, and that is another intention: the gateway of this "
            "course does it, and is right to. Who trusts this test will refuse customers whom "
            "nobody has served. Keep `action.key`, and change the template in the payload.",
            lambda seen: wrong(seen, "own") and OTHER_KEY in brought(seen, "own"),
        ),
        Mistake(
            "nothing changes",
            "Your test brought the same action again, with the same template. That is a retry, and "
            "a gateway has to answer it: who refuses retries leaves lead-202 without an answer "
            "after every lost response. Make an Action with the same key and kind, and another "
            "template in its payload.",
            lambda seen: wrong(seen, "own") and set(brought(seen, "own").split(", then "))
            == {THE_ACTION},
        ),
        Mistake(
            "the refusal ends the test",
            "The gateway refused, as it promised, and its ValueError flew through your test. So "
            "your test says of the right gateway that it is broken. A refusal is what you wait "
            "for: catch the ValueError.",
            lambda seen: wrong(seen, "own") and "for it ends with" in str(seen("own", FINDS)),
        ),
        Mistake(
            "settled at once",
            "Your test wants the first call to end well, and a gateway whose first call got no "
            "answer is blamed for it. It kept its promise: UNKNOWN was the honest state. The "
            "promise is about the key that comes again, whatever became of the first call.",
            lambda seen: not wrong(seen, "own")
            and (wrong(seen, "silence") or wrong(seen, "not yet")),
        ),
        Mistake(
            "its words",
            "Your test blames a gateway that refuses, but not in the way of the one in this "
            "course. A sentence may be written anew tomorrow and a class renamed, and then a test "
            "that nobody can trust stops the work. What was promised is that `execute` raises a "
            "ValueError, of whatever class and with whatever text.",
            lambda seen: not wrong(seen, "own") and (wrong(seen, "words") or wrong(seen, "look")),
        ),
        Mistake(
            "a plain ValueError only",
            "Your test blames the gateway of this course, because the error that it raises is not "
            "ValueError itself: KeyReused is a class of its own, and a kind of ValueError. A "
            "right gateway is then taken out of use. `except ValueError` catches both, and so "
            "does `isinstance`.",
            lambda seen: wrong(seen, "own") and not wrong(seen, "words"),
        ),
        Mistake(
            "an answer instead of an error",
            "Your test returned what it found, and nobody asks a test what it returns: the broken "
            "gateway went into use. A test speaks by an error. Raise an AssertionError where the "
            "promise is broken, with `raise` or with `assert`.",
            lambda seen: ", and returns" in str(seen("nothing", FINDS)),
        ),
        Mistake(
            "another error",
            "Your test noticed the broken gateway, and raised an error that says something else. "
            "Whoever runs it will look for a fault in the test, and not in the gateway. A test "
            "that finds what it looks for raises an AssertionError.",
            lambda seen: ", which is no verdict" in str(seen("nothing", FINDS)),
        ),
        Mistake(
            "another kind",
            "Your test brought another kind of action, and the promise is about another template. "
            "A gateway that never looks at the payload passes it, and lead-202 is told that the "
            "new text was sent. Keep the kind, and change the payload.",
            lambda seen: wrong(seen, "kind") and OTHER_KIND in brought(seen, "kind")
            and OTHER_TEMPLATE not in brought(seen, "kind"),
        ),
        Mistake(
            "more than the template",
            "Your test changed more than the template, so a gateway that compares everything but "
            "the template passes it. That is the very change that a model makes when it writes "
            "its message anew. Copy the payload, and change this one part.",
            lambda seen: wrong(seen, "template") and OTHER_CONTENT in brought(seen, "template"),
        ),
        Mistake(
            "lets everything pass",
            "A gateway that compares nothing passes your test. It answered the changed message "
            "with \"done\", so the customer never gets the text that was meant, and your test "
            "says that all is well. What happens in your test when `execute` comes back without "
            "an error?",
            lambda seen: wrong(seen, "nothing") and not wrong(seen, "own"),
        ),
        Mistake(
            "blames everybody",
            "Your test says of every gateway that it is broken, of the right one as well. A test "
            "that always fails is switched off within a week, and then nothing is tested. When "
            "does it return?",
            lambda seen: wrong(seen, "own", "words") and not wrong(seen, "nothing"),
        ),
        Mistake(
            "turned around",
            "Your test blames the gateways that refuse, and passes those that do not. Whoever "
            "believes it puts the broken one into use. A ValueError is the promise kept; no error "
            "is the promise broken.",
            lambda seen: wrong(seen, "own", "words", "nothing"),
        ),
        Mistake(
            "any error will do",
            "A gateway that stumbles over a KeyError passes your test, as if it had refused. A "
            "workflow that waits for the promised ValueError stops in the middle of its night run. "
            "Catch ValueError, and nothing wider.",
            lambda seen: wrong(seen, "error"),
        ),
        Mistake(
            "an outcome will do",
            "A gateway that raises nothing passes your test, because of what its answer says. A "
            "workflow that does not read the answer takes the changed message for sent. The "
            "promise is an error, which nobody can overlook.",
            lambda seen: wrong(seen, "outcome"),
        ),
        Mistake(
            "written down, not done",
            "In your test the approved action was written down by the ledger and never done by "
            "`execute`. So nothing was settled, and a gateway that takes anything once an action "
            "is settled passes: the state in which most actions are. Let `execute` do the "
            "approved action first.",
            lambda seen: wrong(seen, "open") and THE_ACTION not in brought(seen, "open"),
        ),
        Mistake(
            "the first call is inside",
            "A gateway that refuses whatever it is brought passes your test: the first call "
            "raised a ValueError, and your test let it go by. No customer would ever hear from "
            "us. Only the call with the changed action may raise.",
            lambda seen: wrong(seen, "all"),
        ),
        Mistake(
            "sent all the same",
            "A gateway that sends the changed message, and raises its ValueError then, passes "
            "your test. The lead has two messages, and the error helps nobody. Compare what "
            "arrived at the provider before and after: `provider.requests()` lists it.",
            lambda seen: wrong(seen, "sent"),
        ),
        Mistake(
            "sent under another key",
            "A gateway that sends the changed message under a new key, and raises its ValueError "
            "then, passes your test: it looked at one key only. The lead has two messages all "
            "the same. `provider.requests()` without a key lists all that arrived.",
            lambda seen: wrong(seen, "sent anew"),
        ),
        Mistake(
            "the row has moved",
            "A gateway that raises its ValueError, and moves the row of the approved action, "
            "passes your test. Lead-202 now waits for a person because somebody else brought "
            "wrong data. Compare `ledger.get(action.key)` before and after.",
            lambda seen: wrong(seen, "moved"),
        ),
        Mistake(
            "a part of the row",
            "A gateway that raises its ValueError, and takes from the approved action the "
            "attempts that it had left, passes your test: the state is the same, and the row is "
            "not. Lead-202 then waits for a person because somebody else brought wrong data. "
            "Compare all that `ledger.get(action.key)` returns.",
            lambda seen: wrong(seen, "used up"),
        ),
        Mistake(
            "asked once",
            "A gateway that refuses the changed message once, and takes it the second time, passes "
            "your test. A workflow that gets an error tries again: that is what this course is "
            "about. Bring the changed action twice.",
            lambda seen: wrong(seen, "once"),
        ),
    ),
    hints=(
        "What has to happen before a key is a used one? And by what will your test know a refusal?",
        "Let `execute` do the action, and remember the row and the requests. Then bring an Action "
        "with the same key and kind, whose payload differs in the template only; twice. If no "
        "ValueError comes, raise AssertionError; and at the end compare row and requests with what "
        "you remembered.",
        "One way, with two gaps:\n"
        "    execute(action, ledger, provider)\n"
        "    before = ledger.get(action.key), provider.requests()\n"
        "    changed = Action(action.key, action.kind, {**action.payload, ...})\n"
        "    for _ in range(2):\n"
        "        try:\n"
        "            execute(changed, ledger, provider)\n"
        "        except ValueError:\n"
        "            continue\n"
        "        raise AssertionError(\"it was not refused\")\n"
        "    assert ... == before",
    ),
    solved=(reuse_test,),
    why="It uses the key first, changes the template and nothing else, and waits for a ValueError "
    "only where one was promised. It looks at the ledger and at the provider, because an error "
    "after the harm protects nobody; and it asks twice, because workflows do.",
)  # fmt: skip
