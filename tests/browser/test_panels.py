"""The main path of every panel, clicked and read from the page; then by keyboard alone."""

from collections.abc import Callable

import pytest

from tests.browser.access import flaws
from tests.browser.shown import Shown

Show = Callable[[str], Shown]


def test_a_lost_response_and_a_blind_retry(show: Show) -> None:
    panel = show("silence()")
    panel.press("Send")
    panel.sees(happened="Its response was lost", knows="Failed: no response.", holds="1 message, 0")
    panel.press("Send")
    panel.sees(knows="Sent: msg-2.", holds="2 messages, 1 duplicate", picture="effect 2")
    panel.press("Read the provider")
    panel.sees(knows="The provider holds 2 messages.")
    panel.press("Reset")
    panel.choose("Lose, once", "the request")
    panel.press("Send")
    panel.sees(happened="the provider did nothing", holds="0 messages")


def test_a_key_makes_the_second_attempt_the_second_attempt(show: Show) -> None:
    panel = show("silence(keys=True)")
    panel.press("Send")
    panel.press("Send")
    panel.sees(happened="The provider knows this key", holds="1 message, 0 duplicates")
    panel.write("Key (empty: none)", "welcome:lead-202:v2")
    panel.press("Send")
    panel.sees(holds="2 messages, 1 duplicate")
    panel.write("Key (empty: none)", "<b>anna@example.org</b>")
    panel.press("Send")
    panel.sees(happened="Nothing was sent: '<b>anna@example.org</b>' cannot be a key")


def test_nobody_can_say_and_a_person_decides(show: Show) -> None:
    panel = show("boundary('execute')")
    panel.press("Execute")
    panel.sees(knows="UNKNOWN, 1 attempt", more="proved not executed")
    panel.press("Let it pass")
    panel.press("Execute")
    panel.sees(knows="REVIEW, 1 attempt", more="What the desk costs so far")
    panel.write("Your name", "anna")
    panel.write("Grounds", "not on <their> page")
    panel.press("Approve one attempt")
    panel.sees(happened="Refused: the open attempt may arrive until 60000 ms")
    panel.choose("Time", "61 s")
    panel.press("Let it pass")
    panel.press("Approve one attempt")
    panel.sees(happened="anna approved exactly one more attempt", more="$4.00")
    panel.press("Execute")
    panel.sees(knows="SETTLED, 2 attempts", holds="1 effect from 1 request")
    panel.sees(knows="proved not executed: not on <their> page", picture="you")


@pytest.mark.parametrize(
    ("opening", "button", "says"),
    [
        ("send", "Send", "Was it done? It cannot say."),
        ("attempt", "Attempt", "It does not say failed."),
        ("rejected", "Execute", "It does not say failed."),
    ],
)
def test_each_opening_of_the_boundary_begins_with_its_button(
    opening: str, button: str, says: str, show: Show
) -> None:
    panel = show(f"boundary('{opening}')")
    panel.press(button)
    panel.sees(happened=says)
    panel.choose("Attempt 1 meets", "nothing")
    panel.sees(happened="Another world", holds="0 effects from 0 requests")


def test_a_worker_is_killed_and_another_settles_what_it_did(show: Show) -> None:
    panel = show("restart()")
    panel.press("Run to the step")
    panel.sees(happened="is alive", holds="1 effect")
    panel.press("Kill it")
    panel.sees(happened="killed", knows="UNKNOWN", picture="dies")
    panel.press("Restart")
    panel.sees(knows="SETTLED", holds="1 effect", picture="readback: readable-1")


def test_a_gateway_is_broken_in_three_ways(show: Show) -> None:
    panel = show("explorer()")
    panel.sees(happened="CHECK says PASS")
    panel.choose("Gateway", "blind_retry")
    panel.sees(happened="RESTART is the first line that differs. CHECK says FAIL.")
    panel.choose("Show", "one crash (lesson 11)")
    panel.choose("Gateway", "unknown_after_failure")
    panel.press("A crash after provider.perform, on readable:")
    panel.sees(happened="dies after provider.perform, on readable.", holds="2 effects")
    panel.sees(picture="dies", more="duplicates")
    panel.choose("Show", "the shortest run (lesson 12)")
    panel.press("Find the shortest run")
    panel.sees(happened="The shortest run that shows the mistake has 2 moves.")


def test_choices_and_buttons_reach_the_kernel_in_their_order(show: Show) -> None:
    panel = show("boundary('attempt')")
    for fault in ("rejected", "the response is lost", "nothing", "the request is late"):
        panel.choose("Attempt 1 meets", fault)
        panel.press("Attempt")
        panel.sees(holds="0 effects from 1 request" if fault == "rejected" else "1 request")
        panel.press("Read back")
        panel.sees(happened="The provider says:")


def test_a_text_reaches_the_kernel_before_the_button_that_is_pressed_next(show: Show) -> None:
    panel = show("silence(keys=True)")
    for key in ("one", "two", "three"):
        panel.write("Key (empty: none)", key)
        panel.press("Send")
        panel.sees(knows=key)


def test_silence_by_keyboard_alone(show: Show) -> None:
    panel = show("silence(keys=True)")
    panel.tab_to("Send")
    panel.key("Enter")
    panel.sees(happened="Its response was lost")
    panel.key("Shift+Tab")
    panel.key("Control+a")
    panel.page.keyboard.type("bb:dd")  # JupyterLab's own commands, outside of a text
    panel.key("Tab", "Space")
    panel.sees(holds="2 messages, 1 duplicate")
    panel.sees(knows="bb:dd")


def test_the_desk_by_keyboard_alone(show: Show) -> None:
    panel = show("boundary('execute')")
    panel.tab_to("Execute")
    panel.key("Enter")
    panel.sees(knows="UNKNOWN")
    panel.tab_to("Let it pass")
    panel.key("Space", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Enter")
    panel.sees(knows="REVIEW")
    panel.tab_to("Your name")
    panel.page.keyboard.type("anna")
    panel.tab_to("Grounds")
    panel.page.keyboard.type("not there")
    panel.tab_to("Approve one attempt")
    panel.key("Enter")
    panel.sees(happened="Refused: the open attempt may arrive")


def test_a_restart_by_keyboard_alone(show: Show) -> None:
    panel = show("restart()")
    panel.tab_to("Run to the step")
    panel.key("Enter")
    panel.sees(happened="is alive")
    panel.key("Tab", "Enter")
    panel.sees(happened="killed")
    panel.key("Tab", "Enter")
    panel.sees(knows="SETTLED")


def test_a_cell_of_the_strip_by_keyboard_alone(show: Show) -> None:
    panel = show("explorer('strip', 'unknown_after_failure')")
    panel.tab_to("Crash")
    panel.key("Tab", "Tab", "Tab", "Enter")
    panel.sees(happened="Worker A dies before ledger.find, on readable.")


CALLS = ("silence(keys=True)", "boundary('execute')", "restart()", "explorer('strip')")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
@pytest.mark.parametrize("call", CALLS)
def test_axe_finds_nothing_grave_in_either_theme_and_at_twice_the_size_nothing_is_cut_off(
    call: str, theme: str, show: Show
) -> None:
    panel = show(call)
    panel.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
    )
    panel.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
    if "boundary" in call:  # with its desk open
        for button in ("Execute", "Let it pass", "Execute"):
            panel.press(button)
        panel.sees(knows="REVIEW")
    assert flaws(panel.page) == []
    panel.page.set_viewport_size({"width": 512, "height": 450})
    panel.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    sticks_out = """panel => [...panel.querySelectorAll('*')]
        .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
                       && getComputedStyle(one).overflowX !== 'visible')
        .map(one => one.outerHTML.slice(0, 80))"""
    assert panel.panel.evaluate(sticks_out) == []
