"""Each exercise four ways: untouched, solved, wrong in every known way, right in other styles.

The files ``test_four_ways_*.py`` share these tests among the cores: each names some exercises in
``ASKED``. (Untouched and solved are the two editions: see ``tests/notebooks``.)
"""

import contextlib
import io
import re
from functools import cache

from lab import exercises
from lab.exercises import telling
from lab.exercises.verdict import FAILED, PASSED, Verdict
from tests.exercises.answering import Answer, answers_to

# What never reaches a learner: the words of tests, and of our own rooms.
INTERNAL = re.compile(
    r"\b(assert\w*|scenario\w*|traceback|stub|fixture|mock|seed)\b|lab/|lab\.", re.I
)


@cache
def judged(name: str, answer: Answer) -> Verdict:
    verdict: Verdict = getattr(exercises, name).judged(answer.given)
    return verdict


def test_an_answer_gets_the_verdict_it_deserves(name: str, answer: Answer) -> None:
    verdict = judged(name, answer)
    if not answer.mistake:
        assert verdict.status == PASSED, (verdict.says, verdict.played)
    else:
        assert verdict.status == FAILED
        assert verdict.mistake == answer.mistake.replace("unforeseen", ""), verdict.says
        assert verdict.earned < verdict.points


def test_another_seed_gives_the_same_verdict(name: str, one_in_four: Answer) -> None:
    given = one_in_four.given
    one, other = judged(name, one_in_four), getattr(exercises, name).judged(given, seed=7)
    assert (one.status, one.mistake) == (other.status, other.mistake)
    assert passed(one) == passed(other)


def passed(verdict: Verdict) -> int:
    """Count what earned points, but for what a seed draws: luck may spare a mistake."""
    if not verdict.earned:
        return 0
    return sum(one.passed for one in verdict.played if one.name != "drawn")


def test_the_answers_are_the_same_for_every_test(name: str) -> None:
    assert answers_to(name) is answers_to(name)  # else each would be judged again and again


def test_every_known_mistake_is_made_by_somebody(name: str) -> None:
    made = {answer.mistake for answer in answers_to(name)} - {"", "unforeseen"}
    assert made == {mistake.name for mistake in getattr(exercises, name).mistakes}


def test_six_mistakes_are_known_and_four_other_styles_pass(name: str) -> None:
    assert len(getattr(exercises, name).mistakes) >= 6
    assert sum(not answer.mistake for answer in answers_to(name)) >= 4


def test_a_message_is_three_sentences_at_most_and_its_own(name: str) -> None:
    says = [mistake.says for mistake in getattr(exercises, name).mistakes]
    assert len(set(says)) == len(says)
    for text in says:
        sentences = re.findall(r"[.?](?:\s|$)", re.sub(r"`[^`]*`", "x", text))
        assert 2 <= len(sentences) <= 3, text


def test_a_learner_reads_nothing_of_how_it_is_tested(name: str, answer: Answer) -> None:
    page = io.StringIO()
    with contextlib.redirect_stdout(page):
        telling.tell(judged(name, answer), getattr(exercises, name))
    told = page.getvalue()
    if name == "reuse_test":  # it asks for a test, so it may speak of one
        told = re.sub(r"\bassert\w*", "", told, flags=re.IGNORECASE)
    assert not INTERNAL.search(told), told


def test_an_exercise_says_what_it_asks(name: str) -> None:
    exercise = getattr(exercises, name)
    assert exercise.name == name
    assert len(set(exercise.hints)) == 3
    assert "?" in exercise.hints[0]  # from a question ...
    assert "    " in exercise.hints[2]  # ... to nearly the code
    assert exercise.solved_text().strip()
    assert len({one.name for one in exercise.scenarios}) == len(exercise.scenarios)
    assert any(one.live for one in exercise.scenarios)
