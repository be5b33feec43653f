"""Takes out of a text what must not leave the house: addresses, card numbers, tokens, markup.

What `redact` promises, in full:

- an e-mail address, a telephone number, an IP address or a house's address -> ``[address]``
- 13 to 19 digits that pass a card's check, in one run or in the printed groups -> ``[card]``
- a password or token -> ``[token]``: by how it begins; after ``Bearer``, ``Basic``, ``password=``,
  ``token:`` and the like; before the ``@`` of an address; or as one run of 32 or more letters and
  digits
- ``<`` and ``>`` become ``‹`` and ``›``; signs that nobody sees go; the end of a line is a blank
- wide and ornamental forms become plain ones first (NFKC), so that none of these hides in them
- everything else stays, and a text that was redacted once does not change any more

It knows what such things look like. A person's name, or a secret in plain words, looks like
nothing; a receipt that is one long run of letters and digits looks like a token.
"""

from __future__ import annotations

import re
import unicodedata

from lab.gateway.actions import holds_card_number

ADDRESS, CARD, TOKEN = "[address]", "[card]", "[token]"

# Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt, marks of direction, controls,
# and lone halves of characters.
_UNSEEN = (
    r"[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SIGNS = ((r"[\t\n\v\f\r\x85\u1680\u2028\u2029]", " "), (_UNSEEN, ""), ("<", "‹"), (">", "›"))

_GAP = r"[\W_]{0,3}"
_CARDS = (
    rf"\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{3}}",
    rf"\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{1,7}}",
    rf"\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}",
)
# Every shape at every place, for the digits before or after a card must not hide it.
_CARD = re.compile(r"(?<!\d)(?=\d)" + "".join(rf"(?=({shape}(?!\d))?)" for shape in _CARDS))

_NAME = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|authorization|credentials?"
    r"|(?:api|access|auth|private|secret)[ _-]?key)"
)
_VALUE = r"""(?:(?:bearer|basic) +)?(?:"[^"]*"?|'[^']*'?|\S+)"""
_TOKENS = (
    (r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|$)", TOKEN),
    (r"(?<=://)[^\s/?#]*@", f"{TOKEN}@"),
    # A key joins its parts with ":", so "token:x" is one only where nothing stands before it.
    (rf"""(?i)({_NAME}["']? *(?:=|:(?=[ "'])|(?<=["']):) *){_VALUE}""", rf"\1{TOKEN}"),
    (rf"(?i)(?<![\w:-])({_NAME}:){_VALUE}", rf"\1{TOKEN}"),
    (
        r"(?<![A-Za-z0-9])(?:[prs]k_(?:live|test)_|rk_|whsec_|gh[oprsu]_|github_pat_|glpat-"
        r"|xox[a-z]-|A[KS]IA(?=[A-Z0-9]{8})|AIza|eyJ)[\w.~+/=-]{6,}",
        TOKEN,
    ),
    # "Basic steps" and "bearer of news" are words.
    (
        r"(?i)\b(bearer|basic) +(?=\S*[\d=]|(?-i:\S*[a-z]\S*[A-Z]\S*[a-z]\S*[A-Z])|\S{20})"
        r"[\w.~+/=-]{8,}",
        rf"\1 {TOKEN}",
    ),
    (r"(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{32,}", TOKEN),
)

_LOCAL = r"[\w.!#$%&'*+=?^`{|}~-]"
_BYTE, _HEX = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)", r"[0-9a-f]{1,4}"
_STREET = r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Square|Court|Way)"
_ADDRESSES = (
    (rf"""(?:"[^"]{{1,64}}"|(?<!{_LOCAL}){_LOCAL}+)(?:@|%40)[\w-]+(?:\.[\w-]+)+""", ADDRESS),
    (r"(?<![^\s/@:])[^\s/@:]{1,200}:[^\s/@]{1,200}@(?=\w)", f"{TOKEN}@"),  # me:password@host
    # Telephones: +49 151 234…, 0049 151 234…, (212) 555-0123, 0151 234…, 06 12 34 56 78, 0151234…
    (r"(?<![\w.:+-])(?:\+[1-9]|00[1-9]\d{0,2}[ ./-])(?:[ ()./-]{0,3}\d){6,14}(?!\d)", ADDRESS),
    (r"(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])", ADDRESS),
    (
        r"(?<![\w.:/-])\(?0[1-9](?=(?:[ ()/-]{0,3}\d){7})\d{1,4}\)?[ /-]{1,3}\d{3,8}"
        r"(?:[ -]\d{2,6}){0,3}(?!\d)",
        ADDRESS,
    ),
    (r"(?<![\w.:/-])0[1-9](?:(?:[ .-]\d\d){4}|\d{8,9})(?!\d)", ADDRESS),
    (rf"(?<![\w.])(?:{_BYTE}\.){{3}}{_BYTE}(?!\w|\.\d)", ADDRESS),
    (
        rf"(?i)(?<![\w:.])(?:(?:{_HEX}:){{7}}{_HEX}|(?:{_HEX}:){{1,6}}(?::{_HEX}){{1,6}}"
        rf"|(?:{_HEX}:){{1,7}}:|::(?:{_HEX}:){{0,6}}{_HEX})(?![\w:])",
        ADDRESS,
    ),
    (rf"(?<![\w-])\d{{1,5}}[A-Za-z]?,? (?:[A-Z][\w'.-]* ){{1,4}}{_STREET}\b", ADDRESS),
    (r"\b[A-Z]\w+(?:straße|strasse|str\.|gasse|platz|allee) \d+(?: ?[a-z]\b)?", ADDRESS),
)


def redact(text: str) -> str:
    """Return a text that may be shown; the module says what is replaced, and by what."""
    before = None
    while text != before:  # what was taken out may have parted, or hidden, something else
        before = text
        text = _replaced(unicodedata.normalize("NFKC", text), _SIGNS)
        text = _replaced(_without_cards(text), _TOKENS + _ADDRESSES)
    return text


def _replaced(text: str, patterns: tuple[tuple[str, str], ...]) -> str:
    for pattern, instead in patterns:
        text = re.sub(pattern, instead, text)
    return text


def _without_cards(text: str) -> str:
    kept, end = "", 0
    for found in _CARD.finditer(text):
        for shape in found.groups():
            digits = "".join(str(int(sign)) for sign in shape or "" if sign.isdecimal())
            if found.start() >= end and holds_card_number(digits):
                kept, end = kept + text[end : found.start()] + CARD, found.start() + len(shape)
    return kept + text[end:]
