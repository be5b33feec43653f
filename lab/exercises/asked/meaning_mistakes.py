"""The wrong answers that are known for lesson 13: what may be concluded from an answer."""

from __future__ import annotations

from collections.abc import Callable

from lab.exercises.exercise import Mistake, Seen

WORDS = ("accepted", "retryable", "final", "indefinite")
DEFINITE = ("retryable", "final")
When = Callable[[Seen], bool]


def says(scenario: str, *labels: str, words: tuple[str, ...]) -> When:
    """Recognise a mistake by one of some words as the answer to one of some questions."""
    return lambda seen: any(seen(scenario, label) in words for label in labels)


def no_word(seen: Seen) -> bool:
    """Tell whether some answer is none of the four words, and no error."""
    given = [seen("nobody", "nothing promised"), seen("whole", "200 and a receipt")]
    return any(
        isinstance(one, str) and one not in WORDS and not one.startswith("the error ")
        for one in given
    )


def another_promise(seen: Seen) -> bool:
    """Tell whether any promise does, where none does not."""
    wanted = {"429": "retryable", "503": "retryable", "400": "final"}
    return any(seen("other word", status) == kind for status, kind in wanted.items())


def known_by_number(seen: Seen) -> bool:
    """Tell whether statuses that no contract speaks of are told by their first digit."""
    return any(seen("other", status) in DEFINITE for status in ("402", "405", "418", "428"))


MISTAKES = (
    Mistake(
        "no return",
        "Your function returned nothing, so the adapter cannot tell the gateway whether the "
        "message may be sent again. Is a `return` missing on one of its ways?",
        says("nobody", "nothing promised", "all promised", words=("nothing",)),
    ),
    Mistake(
        "another word",
        "Your function answers with something else than one of the four words. Whoever reads it "
        'knows "accepted", "retryable", "final" and "indefinite", as texts in small '
        "letters. Return one of them.",
        no_word,
    ),
    Mistake(
        "everything indefinite",
        "With your code nothing is ever retried: even where nobody was there to take the request, "
        "it says that nobody knows. Lead-202 waits for a message that a second try would send. "
        'What does the phase "before" prove by itself?',
        says("nobody", "nothing promised", "all promised", words=("indefinite",)),
    ),
    Mistake(
        "no connection is final",
        "Where no byte was handed over, your code says that no further attempt will work. The "
        "provider may be back in a minute, and lead-202 waits for a person instead. Nothing was "
        "sent, so another attempt is safe, and it may work.",
        says("nobody", "nothing promised", "all promised", words=("final",)),
    ),
    Mistake(
        "accepted is not seen",
        "A whole 200 with a receipt is not accepted by your code. The provider named what it did, "
        "and the gateway goes on asking for it, or sends it again. No promise is needed for that "
        "answer: the receipt is the evidence.",
        says("whole", "200 and a receipt", words=("indefinite", "retryable", "final")),
    ),
    Mistake(
        "silence read as not sent",
        "Nothing came back, and your code says that nothing was done. The provider may have the "
        "whole request, so lead-202 gets a second message, or none is ever tried again. Silence is "
        '"indefinite", whatever is promised.',
        says("silence", "no answer", "no answer, nothing promised", words=DEFINITE),
    ),
    Mistake(
        "half sent read as not sent",
        "A part of the request was handed over, and your code says that nothing was done. How much "
        "of it was read, nobody here can see; perhaps only the last byte was missing. "
        'Only the phase "before" proves that nothing was sent.',
        says("silence", "while it was sent", words=DEFINITE),
    ),
    Mistake(
        "a receipt of half an answer believed",
        "The answer broke off, and your code believes the receipt in it. Half a receipt looks like "
        "a whole one, `mail-7` like `mail-71`, and the ledger would hold an effect that is not "
        "there. A receipt counts only in an answer that was read to its end.",
        says("half", "200 and a receipt", words=("accepted",)),
    ),
    Mistake(
        "a status of half an answer believed",
        "A status came, the answer broke off behind it, and your code takes that for a proof. The "
        "rest may say something else, so nobody knows what the provider meant. Only the phase "
        '"answered" lets a status count.',
        says("half", "200 and a receipt", "400", "429", words=DEFINITE),
    ),
    Mistake(
        "200 without a receipt accepted",
        "A 200 without a receipt is accepted by your code. It names no effect, so nobody could "
        "find the message that it stands for; an error page may come with a 200 as well. Accepted "
        "needs both: the status, and a receipt.",
        says("no receipt", "200", words=("accepted",)),
    ),
    Mistake(
        "200 without a receipt taken for a refusal",
        "A 200 without a receipt is taken for a refusal by your code. The message may well have "
        "been sent, so another try makes a second one. It names no effect and denies none: that is "
        '"indefinite".',
        says("no receipt", "200", words=DEFINITE),
    ),
    Mistake(
        "a receipt beside an error believed",
        "A receipt stands beside a 500 or a 409, and your code accepts it. The status says that it "
        "did not end well, so what the receipt names is anybody's guess, and a guess in the ledger "
        "is never looked at again. Accepted needs both: 200, and a receipt.",
        says("not 200", "409 and a receipt", "500 and a receipt", words=("accepted",)),
    ),
    Mistake(
        "every 2xx accepted",
        "A 201 or a 202 is accepted by your code. This provider documents 200 for done and nothing "
        "else; a 202, for one, says that it has yet to be done. What the contract does not "
        'speak of is "indefinite".',
        says("not 200", "201 and a receipt", "202 and a receipt", words=("accepted",)),
    ),
    Mistake(
        "500 is final",
        "A 500 counts as failed for good with your code. It broke at the provider, perhaps behind "
        "the message: a person is told that nothing was sent, sends it by hand, and lead-202 has "
        'two. Nobody says where it broke, so it is "indefinite".',
        says("broke", "500", "502", "504", words=("final",)),
    ),
    Mistake(
        "500 read as not sent",
        "A 500, 502 or 504 may be sent again with your code. It broke at the provider or on the "
        "way, perhaps behind the message, and then the second try is a second message. Nobody says "
        'where it broke, so it is "indefinite".',
        says("broke", "500", "502", "504", words=("retryable",)),
    ),
    Mistake(
        "409 is final",
        "A 409 counts as failed for good with your code. It says that a request with this key is "
        "still being worked on, and that one may well end in a message. Nobody knows yet: that is "
        '"indefinite".',
        says("in progress", "409", words=("final",)),
    ),
    Mistake(
        "409 is retryable",
        "A 409 may be sent again with your code, as if nothing were under way. It says that a "
        "request with this key is still being worked on; if the provider has forgotten the key by "
        'then, the next one is a second message. Nobody knows yet: that is "indefinite".',
        says("in progress", "409", words=("retryable", "accepted")),
    ),
    Mistake(
        "redirect followed",
        "A status from 301 to 308 is taken for a proof by your code. It may have been done where "
        "it was sent first, and to send it to the other place, too, would be a second send. It "
        'proves nothing about the first: that is "indefinite".',
        says("elsewhere", "301", "302", "303", "307", "308", words=(*DEFINITE, "accepted")),
    ),
    Mistake(
        "refusals retried",
        "A request that the provider refuses as wrong is sent again by your code. It is as wrong "
        "the second time: the attempts are used up, and nobody is told what to mend. Under "
        '`validates_first` these five are "final".',
        says("refused", "400", "401", "403", "404", "422", words=("retryable",)),
    ),
    Mistake(
        "429 or 503 without its promise",
        'A 429 or a 503 is read as "nothing was done" by your code, and nobody promises that. '
        "A provider may say it after it has begun, and then the second try is a second message. "
        "Ask whether the promise for this status stands in `promises`.",
        says("turned away, no word", "429", "503", words=DEFINITE),
    ),
    Mistake(
        "refusal without its promise",
        "A refusal counts as proof with your code, and nobody promises that it comes before "
        "anything is done. A person is told that no message went out, and one may have. Ask "
        "whether `validates_first` stands in `promises`.",
        says("refused, no word", "400", "401", "403", "404", "422", words=DEFINITE),
    ),
    Mistake(
        "any promise will do",
        "A promise about another status is taken for the one that is missing. That a provider "
        "validates first says nothing of its rate limit, and the second try may be a second "
        "message. Each of the three promises speaks of its own statuses.",
        another_promise,
    ),
    Mistake(
        "turned away is final",
        "A provider that is busy for a minute is given up for good by your code. It promised that "
        "nothing was done, so another attempt is safe, and lead-202 need not wait for a person. "
        'That is "retryable".',
        says("turned away", "429", "503", words=("final",)),
    ),
    Mistake(
        "a promise left unused",
        "The provider promises that this status comes before anything is done, and your code does "
        "not use it. What could be tried again, or given to a person with a reason, waits as if "
        "nobody knew. Which of the three promises is about it?",
        lambda seen: (
            says("turned away", "429", "503", words=("indefinite",))(seen)
            or says("refused", "400", "401", "403", "404", "422", words=("indefinite",))(seen)
        ),
    ),
    Mistake(
        "told by its first digit",
        "A status that no contract speaks of, 418 for one, is taken for a refusal because it "
        "begins with a 4. `validates_first` is about 400, 401, 403, 404 and 422 alone, and what "
        'another one proves nobody has written down. The rest is "indefinite".',
        known_by_number,
    ),
)
