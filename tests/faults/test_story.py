"""Stories: a run's line is read as it is printed, and what is told is what was explored."""

from collections.abc import Iterator
from itertools import count

import pytest

from lab.faults.beats import Beat, is_lost, seconds, short
from lab.faults.clock import SECOND_MS
from lab.faults.crashes import CrashExplorer, let_time_pass, live
from lab.faults.edits import EDITS
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers
from lab.faults.schedules import REST, Moment, Worker, happen, tokens
from lab.faults.steps import Answer
from lab.faults.story import LIVES, STEPS, Line, Told, replay, written
from lab.faults.world import Scene, State, World
from lab.gateway import NotExecuted, ResponseLost

GATEWAYS = {"none": SAFE, **EDITS}
Runs = Iterator[tuple[tuple[str, ...], Numbers, State]]


def told(line: str) -> Told:
    return replay(Line.read(line))


def lives_of(
    world: World, crashes: int, day_over: bool = False, moves: tuple[str, ...] = ()
) -> Runs:
    """Yield every run of one worker after the other, and what it came to."""
    before = world.state()
    if world.harm_is_done(before):
        yield moves, world.numbers(), before
        return
    for die_at in count(1) if crashes else [None]:
        with world.rewound():
            if live(world, die_at).died:
                yield from lives_of(world, crashes - 1, day_over, (*moves, str(die_at)))
                continue
            waited = let_time_pass(world, before, day_over)
            if waited is None:
                yield (*moves, "-"), world.numbers(), world.state()
            else:
                yield from lives_of(world, crashes, waited, (*moves, "-"))
        break


def orders_of(world: World, moment: Moment, at_most: int, moves: tuple[str, ...] = ()) -> Runs:
    """Yield every run of two workers and an operator, and what it came to."""
    state = world.state()
    if world.harm_is_done(state):
        yield moves, world.numbers(), state
        return
    for token in tokens(world, moment, state) if at_most else ():
        with world.rewound():
            if token.endswith(REST):
                for lives, numbers, end in lives_of(world, 0):
                    yield (*moves, *token.split(), *lives), numbers, end
                continue
            after = happen(world, moment, token)
            yield from orders_of(world, after, at_most - 1, (*moves, token))


# --- lines


@pytest.mark.parametrize("name", GATEWAYS)
@pytest.mark.parametrize(
    ("kind", "scene", "moves"),
    [
        (LIVES, "keyed NONE plain new", ("-", "-")),
        (STEPS, "blind REFUSED,LATE silent prepared", ("A", "B", "A!", "B!", "rest", "-")),
        (STEPS, "searchable LATE alike new", ("A", "+", "late", "O", "O")),
    ],
)
def test_a_line_is_read_back_as_it_is_printed(
    kind: str, name: str, scene: str, moves: tuple[str, ...]
) -> None:
    line = Line(kind, GATEWAYS[name], Scene.read(scene), moves)
    assert str(line) == f"{kind} {name} / {scene} / {' '.join(moves)}"
    assert Line.read(str(line)) == line
    assert Line.read(f"  {line}\n".replace(" / ", "/")) == line


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "three parts"),
        ("nonsense", "three parts"),
        ("lives none / keyed NONE plain new", "three parts"),
        ("lives none / keyed NONE plain new / - / -", "three parts"),
        ("lives / keyed NONE plain new / -", "three parts"),
        ("walks none / keyed NONE plain new / -", "walks is neither lives nor steps"),
        (
            "lives no_such_edit / keyed NONE plain new / -",
            "no_such_edit is none of none, .*blind_r",
        ),
        ("lives none / stripe NONE plain new / -", "stripe is none of keyed"),
        ("lives none / keyed NONE plain / -", "four words"),
    ],
)
def test_what_is_no_line_is_refused_with_what_is_wrong(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Line.read(line)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("lives none / keyed NONE plain new / x", "x is neither"),
        ("lives none / keyed NONE plain new / - -3", "-3 is neither"),
        ("lives none / keyed NONE plain new / - rest", "rest is neither"),
        ("lives none / keyed NONE plain new / - - - -", "come to rest"),
        ("steps none / keyed NONE plain new / C", "C cannot happen"),
        ("steps none / keyed NONE plain new / B", "B cannot happen"),  # A comes first
        ("steps none / keyed NONE plain new / A A A A A", "A cannot happen"),  # it has ended
        ("steps none / keyed NONE plain new / +", r"\+ cannot happen"),  # nothing to wait for
        ("steps none / keyed NONE plain new / A late", "late cannot happen"),
        ("steps none / keyed NONE plain new / A A A A O", "O cannot happen"),
        ("steps none / keyed NONE plain new / A rest", "rest cannot happen"),
        ("steps none / keyed NONE plain new / A B A!rest", "A!rest cannot happen"),  # so would B
        ("steps none / keyed NONE plain new / A A!", "A! *cannot happen"),
        ("steps none / keyed NONE plain new / A B A! B", "A! cannot happen"),
        ("steps none / keyed NONE plain new / A B B B B A!rest x", "x is neither"),
        ("steps none / keyed NONE plain new / !", "! *cannot happen"),
    ],
)
def test_a_move_that_is_not_possible_is_named(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        told(line)


def test_a_life_that_ends_before_it_could_die_is_named() -> None:
    with pytest.raises(ValueError, match="1000"):
        told("lives none / keyed NONE plain new / 1000")


# --- what is told is what was explored


@pytest.mark.parametrize(
    ("scene", "edit", "crashes"),
    [
        ("keyed NONE plain new", "none", 2),
        ("searchable NONE alike prepared", "none", 1),
        ("readable REJECTION_LOST plain new", "none", 1),
        ("readable REQUEST_LOST silent new", "blind_retry", 1),
        ("readable NONE plain new", "settled_resent", 1),
        ("readable NONE plain new", "resend_before_readback", 1),
        ("readable NONE plain new", "no_hash_check", 1),
        ("readable LATE plain new", "in_flight_forgotten", 0),
        ("readable NONE taken new", "payload_unchecked", 0),
        ("blind REQUEST_LOST plain new", "none", 0),
    ],
)
def test_every_run_of_lives_comes_to_the_same_when_it_is_told(
    scene: str, edit: str, crashes: int
) -> None:
    with World(Scene.read(scene), GATEWAYS[edit]) as world:
        runs = list(lives_of(world, crashes))
        assert len(runs) == CrashExplorer(world).explore(crashes)[crashes].runs
    for moves, numbers, state in runs:
        assert_told(Line(LIVES, GATEWAYS[edit], Scene.read(scene), moves), numbers, state)


@pytest.mark.parametrize(
    ("scene", "edit", "at_most"),
    [
        ("keyed NONE plain new", "none", 8),
        ("blind LATE plain new", "none", 7),
        ("readable NONE plain prepared", "change_without_version", 7),
        ("readable LATE plain new", "silence_is_failure", 7),
    ],
)
def test_every_run_of_steps_comes_to_the_same_when_it_is_told(
    scene: str, edit: str, at_most: int
) -> None:
    with World(Scene.read(scene), GATEWAYS[edit]) as world:
        runs = list(orders_of(world, Moment((Worker("A"), Worker("B"))), at_most))
    assert len(runs) > 10
    for moves, numbers, state in runs:
        assert_told(Line(STEPS, GATEWAYS[edit], Scene.read(scene), moves), numbers, state)


def assert_told(line: Line, numbers: Numbers, state: State) -> None:
    again = replay(Line.read(str(line)))
    assert again.numbers == numbers, line
    last = again.beats[-1]
    assert last.state == (state.row.state if state.row else ""), line
    assert last.effects == state.done, line


@pytest.mark.parametrize("edit", ["silence_is_failure", "no_hash_check"])
def test_the_run_that_an_exploration_reports_is_told_with_its_number(edit: str) -> None:
    scene = Scene("readable", ("RESPONSE_LOST",))
    with World(scene, EDITS[edit]) as world:
        found = CrashExplorer(world).explore(1)[1]
    for which, run in enumerate(found.shortest):
        if run is not None:
            assert replay(Line(LIVES, EDITS[edit], scene, run)).numbers[which] > 0
    assert found.failed


def test_a_story_ends_with_what_both_sides_have() -> None:
    story = told("lives unknown_after_failure / readable NONE plain new / 6 -")
    assert story.row is not None
    assert (story.row.state, story.row.attempts, story.row.receipt) == ("SETTLED", 1, "readable-2")
    assert [effect["receipt"] for effect in story.effects] == ["readable-1", "readable-2"]
    assert [request["outcome"] for request in story.requests] == ["executed"] * 2
    nothing = told("lives none / readable NONE plain new / 1")
    assert (nothing.row, nothing.effects, nothing.requests) == (None, (), ())


def test_what_others_wrote_by_hand_is_no_effect_of_ours_in_a_story() -> None:
    story = told("lives none / keyed NONE taken new / 2 -")
    assert "by hand" not in [effect["request_id"] for effect in story.effects]


def test_a_run_that_keeps_every_promise_is_told_with_nought() -> None:
    assert told("lives none / keyed NONE plain new / 6 - -").numbers == Numbers()


def last_version(gateway: Gateway, scene: Scene, die_at: int) -> tuple[int, int]:
    """Return the row's version after a life and a death, as explored and as told."""
    explored = Line(LIVES, gateway, scene, ("-", str(die_at)))
    beats = [beat for beat in replay(explored).beats if beat.step.startswith("ledger.")]
    with World(scene, gateway) as world:
        live(world)
        assert live(world, die_at).died
        row = world.row()
        assert row is not None
        written_down = [beat.step for beat in beats if "find" not in beat.step]
        return row.version, 2 + len(written_down) - 1  # a first begin makes version 2


@pytest.mark.parametrize("die_at", range(4, 15, 2))
def test_a_worker_dies_in_the_story_where_it_died_in_the_exploration(die_at: int) -> None:
    scene = Scene("readable", ("REQUEST_LOST", "REQUEST_LOST"), "silent")
    explored, retold = last_version(EDITS["blind_retry"], scene, die_at)
    assert retold == explored


# --- beats


def test_a_story_says_who_did_what_and_what_each_side_then_knew() -> None:
    beats = told("lives none / readable RESPONSE_LOST plain new / - - - -").beats
    assert [(beat.who, beat.step, beat.state, beat.effects) for beat in beats[:9]] == [
        ("A", "ledger.find", "", 0),
        ("A", "ledger.begin", "UNKNOWN", 0),
        ("A", "provider.perform", "UNKNOWN", 1),
        ("A", "ledger.change", "UNKNOWN", 1),
        ("A", "ends", "UNKNOWN", 1),
        ("B", "ledger.find", "UNKNOWN", 1),
        ("B", "provider.readback", "UNKNOWN", 1),
        ("B", "ledger.settle", "SETTLED", 1),
        ("B", "ends", "SETTLED", 1),
    ]
    assert [beat.who for beat in beats if beat.lost] == ["A"]
    assert beats[2].lost
    assert beats[8].what == "ends: SETTLED, reconciled"


def test_a_death_is_a_beat_and_the_next_worker_has_another_name() -> None:
    beats = told("lives none / keyed NONE plain new / 6 - -").beats
    assert [beat.step for beat in beats if beat.who == "A"] == [
        "ledger.find",
        "ledger.begin",
        "provider.perform",
        "dies",
    ]
    assert next(beat for beat in beats if beat.who == "B").step == "ledger.find"


@pytest.mark.parametrize(("half_step", "steps"), [(1, 0), (2, 1), (3, 1), (6, 3), (8, 4)])
def test_half_steps_are_counted_before_and_after(half_step: int, steps: int) -> None:
    beats = told(f"lives none / keyed NONE plain new / {half_step} -").beats
    made = [beat for beat in beats if beat.who == "A" and "." in beat.step]
    assert len(made) == steps


def test_time_that_goes_by_is_one_beat_with_what_arrived_meanwhile() -> None:
    beats = told("steps none / readable LATE plain new / A A A A B + + B").beats
    [waited] = [beat for beat in beats if beat.step == "time"]
    assert (waited.passed, waited.arrived, waited.who) == (60 * SECOND_MS, 0, "")
    assert waited.at == 60 * SECOND_MS
    beats = told("steps none / readable LATE plain new / A A A A B + + + B").beats
    [waited] = [beat for beat in beats if beat.step == "time"]
    assert (waited.passed, waited.arrived, waited.effects) == (60 * SECOND_MS + 1, 1, 1)
    assert "the late request has arrived" in waited.what


def test_an_early_arrival_an_operator_and_two_deaths_are_told() -> None:
    arrived = told("steps none / readable LATE plain new / A A A late").beats[-1]
    assert (arrived.step, arrived.who, arrived.effects) == ("late", "", 1)
    line = "steps none / blind RESPONSE_LOST plain new / A A A A + B B B O O rest - -"
    operator = [beat for beat in told(line).beats if beat.who == "operator"]
    assert [(beat.step, beat.what) for beat in operator] == [
        ("looks", "sees blind-1"),
        ("decides", "records the receipt"),
    ]
    assert operator[-1].state == "SETTLED"
    died = told("steps none / keyed NONE plain new / A B B B B A!rest - -").beats
    assert [beat.who for beat in died if beat.step == "dies"] == ["A"]
    assert died[-1].who not in {"A", "B", ""}  # whoever comes later is somebody else


def test_an_operator_who_finds_nothing_says_so() -> None:
    beats = told("steps none / blind REQUEST_LOST plain new / A A A A + B B B O O").beats
    assert beats[-2].what == "sees nothing there"
    assert beats[-1].what.startswith("is refused")


def test_an_answer_is_lost_where_it_says_nothing_of_what_happened() -> None:
    assert is_lost(Answer("provider.perform", error=ResponseLost("no response")))
    assert is_lost(Answer("provider.perform", error=RuntimeError("nobody can read it")))
    assert is_lost(Answer("provider.perform", ""))
    assert not is_lost(Answer("provider.perform", "r-1"))
    assert not is_lost(Answer("provider.perform", error=NotExecuted("refused")))
    assert not is_lost(Answer("provider.readback", error=RuntimeError("silent")))


# --- as text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0 s"), (1, "1 ms"), (30_000, "30 s"), (90_001, "90 s 1 ms"), (86_400_000, "86400 s")],
)
def test_a_time_is_written_as_a_person_would(milliseconds: int, text: str) -> None:
    assert seconds(milliseconds) == text


def test_a_story_is_written_in_columns_and_ends_with_its_numbers() -> None:
    story = told("lives silence_is_failure / readable RESPONSE_LOST plain new / - -")
    lines = list(written(story))
    ledger, effects = lines[0].index("ledger"), lines[0].index("effects")
    assert lines[0].index("who") < lines[0].index("what") < ledger < effects
    at = None
    for line, beat in zip(lines[1:-1], story.beats, strict=True):
        when = [] if beat.at == at else seconds(beat.at).split()  # said once
        assert line[:ledger].split() == [*when, *f"{beat.who} {short(beat)}".split()]
        at = beat.at
        assert line[ledger:effects].strip() == (beat.state or "-")
        assert line[effects:] == str(beat.effects)
    assert lines[-1] == "duplicates 1, lost 0, falsely settled 0, stuck 0, in review 0"
    assert any("sends, and hears: no response" in line for line in lines)


def test_every_beat_of_every_edit_is_words() -> None:
    for scene in ("readable RESPONSE_LOST plain new", "searchable NONE alike new"):
        for name in GATEWAYS:
            story = told(f"lives {name} / {scene} / 4 -")
            for beat in story.beats:
                assert isinstance(beat, Beat)
                assert beat.what
                assert "<" not in beat.what  # no Python object shines through
                assert "None" not in beat.what


def test_an_empty_story_is_written_too() -> None:
    story = told("lives none / keyed NONE plain new / ")
    assert story == Told((), Numbers(stuck=1), over=False)  # it was never brought
    assert len(list(written(story))) == 2
