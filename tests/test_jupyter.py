"""JupyterLab really opens on a lesson, for this machine only."""

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import course, jupyter

ANSWER_SECONDS = 60


def test_without_jupyterlab_the_learner_is_told_how_to_install_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert course.main(root=root) == 1
    assert "JupyterLab is not installed" in capsys.readouterr().err
    assert (root / "work" / "07_restart.ipynb").exists()


def test_jupyterlab_asks_nobody_about_news_and_keeps_settings_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "share/jupyter/lab/settings/overrides.json"
    monkeypatch.setattr(jupyter.sys, "prefix", jupyter.sys.base_prefix)
    jupyter.set_defaults(tmp_path)
    assert not settings.exists()
    monkeypatch.setattr(jupyter.sys, "prefix", str(tmp_path))
    jupyter.set_defaults(tmp_path)
    assert '"fetchNews": "false"' in settings.read_text()
    assert "Markdown Preview" in settings.read_text()
    settings.write_text('{"@jupyterlab/docmanager-extension:plugin": {"mine": 1}}')
    jupyter.set_defaults(tmp_path)
    kept = json.loads(settings.read_text())
    assert kept["@jupyterlab/docmanager-extension:plugin"] == {"mine": 1}
    assert kept.keys() == jupyter.DEFAULTS.keys()
    settings.write_text("not JSON")
    jupyter.set_defaults(tmp_path)
    assert settings.read_text() == "not JSON"


def test_a_port_that_is_taken_is_refused_and_another_one_found() -> None:
    with socket.create_server((jupyter.LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        assert jupyter.free_port(port) > port
        with pytest.raises(jupyter.Problem, match=f"Port {port}"):
            jupyter.usable_port(port)
    with pytest.raises(jupyter.Problem):
        jupyter.usable_port(99999)


def test_a_server_that_ends_at_once_is_a_problem_in_words() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        assert not jupyter.wait_until_ready(ended, unused_port())


@pytest.mark.parametrize(
    ("environ", "platform", "none"),
    [
        ({}, "linux", True),
        ({"DISPLAY": ":0"}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "a b"}, "linux", True),
        ({}, "darwin", False),
        ({"SSH_TTY": "/dev/pts/0"}, "darwin", True),
        ({}, "win32", False),
    ],
)
def test_a_machine_without_a_screen_is_recognised(
    environ: dict[str, str], platform: str, none: bool
) -> None:
    assert jupyter.headless(environ, platform) is none


def test_the_server_is_for_this_machine_only_and_its_token_is_not_on_the_command_line(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jupyter, "is_root", lambda: False)
    command = jupyter.server_command(root / "work" / "00_start_here.ipynb", 8888, True)
    assert "--ServerApp.ip=127.0.0.1" in command
    assert "--allow-root" not in command
    assert not any("token" in part for part in command)
    monkeypatch.setattr(jupyter, "is_root", lambda: True)
    assert "--allow-root" in jupyter.server_command(root, 8888, True)


def unused_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server((jupyter.LOOPBACK, 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def opened(root: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the course as a learner does, and end it whatever the test does."""
    script = (
        "import sys, pathlib; from lab import course;"
        "sys.exit(course.main(True, int(sys.argv[2]), root=pathlib.Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", script, str(root), str(unused_port())]
    environ = {**os.environ, "HOME": str(root), "USERPROFILE": str(root)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        yield process
        process.terminate()


def fetch(address: str) -> str:
    """Return the page at an address of this machine."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=ANSWER_SECONDS) as page:
        text: str = page.read().decode()
        return text


def test_the_first_lesson_opens_in_a_real_jupyterlab(opened: subprocess.Popen[str]) -> None:
    assert opened.stdout is not None
    printed = ""
    while not (found := re.search(r"http://127\.0\.0\.1:\d+/\S+", printed)):
        line = opened.stdout.readline()
        assert line, f"JupyterLab did not start: {printed}"
        printed += line
    address = found[0]
    page = fetch(address)
    assert "jupyter-config-data" in page
    assert re.search(r'"news": *{"disabled": *true}', page)
    lesson = address.replace("/lab/tree/", "/api/contents/")
    assert "# 00_start_here" in fetch(lesson)

    opened.send_signal(signal.SIGTERM)
    rest = opened.stdout.read()
    assert opened.wait(ANSWER_SECONDS) == 0
    assert "Ctrl-C" in rest
    assert jupyter.is_free(int(address.split(":")[2].partition("/")[0]))
