# lesson: 05
# verdict: PASSED
# shows: Patterns with a star are a style.


def verdict_of(action, held, rejected=None):
    match list(held):
        case []:
            if rejected is None:
                return Readback(Verdict.ABSENT)
            return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
        case [(receipt, content)] if content == action.hash:
            return Readback(Verdict.FOUND, receipt)
        case [(receipt, _)]:
            return Readback(verdict=Verdict.MISMATCH, candidates=(receipt,))
        case many:
            return Readback(Verdict.AMBIGUOUS, candidates=tuple(one for one, *_ in many))
