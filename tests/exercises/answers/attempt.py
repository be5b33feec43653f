"""Answers to lesson 06's exercise."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    Action,
    NotExecuted,
    Outcome,
    VersionConflict,
    check_receipt,
    no_attempt_left,
)
from tests.exercises.answering import right, wrong
from tests.exercises.answers.attempt_shared import begun, end, refused

# Right, in other styles.


@right("conditions, early returns, other names")
def attempt(act, held, book, shop):
    if held:
        why = no_attempt_left(held, shop.contract, book.now(held))
        if why:
            return Outcome.of(book.change(held, REVIEW, why), "manual")
    mine = book.begin(act, held, shop.contract.name)
    problem = None
    receipt = None
    if book.now(mine) <= mine.send_by:
        try:
            receipt = shop.perform(act, mine.attempts)
        except Exception as error:
            problem = error
    else:
        problem = NotExecuted("too late")
    if isinstance(problem, NotExecuted):
        if problem.retryable:
            mine = book.change(mine, PREPARED, "refused", send_by=None)
            return Outcome.of(mine, "refused")
        book.change(mine, PREPARED, "never", send_by=None, attempts_allowed=mine.attempts)
        return None
    if problem is not None or not receipt:
        mine = book.change(mine, UNKNOWN, "silence", send_by=book.now(mine))
        return Outcome.of(mine, "hold")
    mine = book.settle(mine, receipt, "a receipt")
    return Outcome.of(mine, "sent")


def may_begin(row, ledger, provider):
    print("may it begin?", row)
    return "" if row is None else no_attempt_left(row, provider.contract, ledger.now(row))


def called(action, row, ledger, provider):
    if ledger.clock() > row.send_by:
        raise NotExecuted("woke up late")
    return check_receipt(provider.perform(action, row.attempts))


@right("helpers of its own, prints, extra reads")
def attempt(action, row, ledger, provider):
    print("the ledger knows", ledger.get(action.key))
    reason = may_begin(row, ledger, provider)
    if reason:
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    ledger.events(action.key)
    try:
        receipt = called(action, row, ledger, provider)
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception as error:
        print("silence:", error)
        row = ledger.change(row, UNKNOWN, repr(error), send_by=ledger.now())
        return Outcome.of(row, "hold")
    else:
        return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


class TooLate(NotExecuted):
    """A refusal of our own."""


@right("an error of its own, prepared first, and the conflict answered with None")
def attempt(action, row, ledger, provider):
    if row is None:
        row = ledger.prepare(action)
    if reason := no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
    except VersionConflict:
        return None
    try:
        if ledger.now(row) > row.send_by:
            raise TooLate("asleep")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        last = {} if refusal.retryable else {"attempts_allowed": row.attempts}
        try:
            row = ledger.change(row, PREPARED, str(refusal), send_by=None, **last)
        except VersionConflict:
            return None
        if last:
            return None
        return Outcome(row.key, row.state, row.attempts, "refused", None)
    except Exception:
        try:
            row = ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row))
        except VersionConflict:
            return None
        return Outcome(row.key, "UNKNOWN", row.attempts, "hold", None)
    row = ledger.settle(row, receipt, "response")
    return Outcome(row.key, "SETTLED", row.attempts, "sent", row.receipt)


@right("refused for good goes to a person at once, in two moves")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("late")
        receipt = check_receipt(provider.perform(action, row.attempts))
        return Outcome.of(ledger.settle(row, receipt, "response"), "sent")
    except NotExecuted as refusal:
        if refusal.retryable:
            return Outcome.of(ledger.change(row, PREPARED, "no", send_by=None), "refused")
        row = ledger.change(row, PREPARED, "no", send_by=None, attempts_allowed=row.attempts)
        return Outcome.of(ledger.change(row, REVIEW, "refused for good"), "manual")
    except Exception as silence:
        heard = f"no answer: {type(silence).__name__}"
        return Outcome.of(ledger.change(row, UNKNOWN, heard, send_by=ledger.now(row)), "hold")


@right("whoever was faster is reported")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
        try:
            if ledger.now(row) > row.send_by:
                raise NotExecuted("woke up too late to send")
            receipt = check_receipt(provider.perform(action, row.attempts))
        except NotExecuted as refusal:
            return refused(row, ledger, refusal)
        except Exception:
            return Outcome.of(ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row)), "hold")
    except VersionConflict:
        return Outcome.of(ledger.get(action.key), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


WAYS = {
    True: lambda row, ledger, why: Outcome.of(
        ledger.change(row, PREPARED, str(why), send_by=None), "refused"
    ),
    False: lambda row, ledger, why: (
        ledger.change(row, PREPARED, str(why), send_by=None, attempts_allowed=row.attempts) and None
    ),
}


@right("a table of lambdas, and the row named by arguments")
def attempt(action, row, ledger, provider):
    limit = row and no_attempt_left(row=row, contract=provider.contract, now=ledger.now(row))
    if limit:
        return Outcome.of(ledger.change(row=row, to=REVIEW, evidence=limit), path="manual")
    row = ledger.begin(action=action, row=row, provider=provider.contract.name)
    try:
        if ledger.now(row) - row.send_by > 0:
            raise NotExecuted("the worker slept", retryable=True)
        receipt = check_receipt(provider.perform(action=action, attempt=row.attempts))
    except NotExecuted as refusal:
        return WAYS[refusal.retryable](row, ledger, refusal)
    except Exception:
        now = ledger.now(row)
        return Outcome.of(ledger.change(row, UNKNOWN, "silence", send_by=now), "hold")
    return Outcome.of(ledger.settle(row=row, receipt=receipt, evidence="ok"), "sent")


# Wrong: the beginning.


@wrong("begun as if it were new")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, None, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("nothing before the call")
def attempt(action, row, ledger, provider):
    number = row.attempts + 1 if row else 1
    try:
        receipt = check_receipt(provider.perform(action, number))
    except NotExecuted:
        row = ledger.begin(action, row, provider.contract.name)
        return Outcome.of(ledger.change(row, PREPARED, "refused", send_by=None), "refused")
    except Exception:
        row = ledger.begin(action, row, provider.contract.name)
        return Outcome.of(ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row)), "hold")
    row = ledger.begin(action, row, provider.contract.name)
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


sent = set()


@wrong("nothing before the call", "what was sent is remembered in a set")
def attempt(action, row, ledger, provider):
    if action.key in sent:
        return Outcome(action.key, UNKNOWN, 1, "hold", None)
    sent.add(action.key)
    receipt = provider.perform(action, 1)
    row = ledger.begin(action, row, provider.contract.name)
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("UNKNOWN comes too late", "written only after a failure")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    if reason := no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        receipt = check_receipt(provider.perform(action, row.attempts + 1))
    except NotExecuted as refusal:
        row = ledger.begin(action, row, provider.contract.name)
        return refused(row, ledger, refusal)
    except Exception:
        row = ledger.begin(action, row, provider.contract.name)
        return Outcome.of(ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row)), "hold")
    row = ledger.begin(action, row, provider.contract.name)
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("UNKNOWN comes too late", "settled straight from PREPARED")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    try:
        receipt = provider.perform(action, row.attempts + 1)
    except Exception:
        return Outcome.of(row, "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("UNKNOWN comes too late", "begun only where there is no row")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.begin(action, row, provider.contract.name)
    try:
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("a key of its own")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    named = Action(f"{action.key}:try-{row.attempts}", action.kind, action.payload)
    return end(named, row, ledger, provider)


@wrong("the wrong number", "always the first")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, 1))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


tries = {}
