# lesson: 01
# verdict: FAILED
# shows: An error whose name and text are markup, a formula and terminal codes is an error.
NAMED = type("=1+1|<b>\x1b[31m\u202e", (Exception,), {})


def count_duplicates(keys_of_effects, approved):
    print("\x1b[2J\x1b]8;;http://x\x07link\x1b]8;;\x07")
    raise NAMED("=HYPERLINK(1)<script>alert(1)</script>\x1b[31m\u202e\r\n</pre>[bold]{{7*7}}")
