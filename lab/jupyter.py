"""JupyterLab opened on a lesson: for this machine only, and without the network."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

LOOPBACK = "127.0.0.1"
FIRST_PORT = 8888
# JupyterLab answers within a few seconds; a first start from a slow disk may
# take many. After this long the address is shown all the same, to be tried.
PATIENCE_SECONDS = 60.0
# Ctrl-C reaches JupyterLab too, and it ends its kernels before itself, which
# takes about a second. Ending it harder sooner could leave kernels behind.
FAREWELL_SECONDS = 10.0

INSTALL_HINT = (
    "  Linux or macOS:  make course\n"
    "  Windows:         py -m venv .venv\n"
    "                   .venv\\Scripts\\pip install -r requirements.txt -e .\n"
    "                   .venv\\Scripts\\python -m lab course"
)


class Problem(Exception):
    """Something that the learner can mend; its text says how."""


def open_lesson(lesson: Path, root: Path, port: int | None, browser: bool) -> int:
    """Open a lesson of ``root`` in JupyterLab, stay until it is closed, return the exit code."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise Problem(
            f"JupyterLab is not installed for {sys.executable}.\n"
            f"In the folder {root}, this installs it and opens the lessons:\n{INSTALL_HINT}"
        )
    port = free_port() if port is None else usable_port(port)
    set_defaults(Path(sys.prefix))
    token = secrets.token_hex(16)
    if is_root():
        print("You are root here, which JupyterLab allows only when told (--allow-root).")
    print("Starting JupyterLab ...", flush=True)
    address = f"http://{LOOPBACK}:{port}/lab/tree/{lesson.name}?token={token}"
    command = server_command(lesson, port, browser)
    with subprocess.Popen(command, cwd=root, env=server_environment(root, token)) as server:
        return attend(server, port, lambda: welcome(address, port, browser))


DEFAULTS = {
    # Otherwise JupyterLab asks every new user about news, over the first lesson.
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false", "checkForUpdates": False,
    },
    # The glossary is for reading.
    "@jupyterlab/docmanager-extension:plugin": {
        "defaultViewers": {"markdown": "Markdown Preview"},
    },
    # What a learner does in a panel reaches the kernel in its order, and in one thread.
    "@jupyterlab/apputils-extension:kernels-settings": {"commsOverSubshells": "disabled"},
}  # fmt: skip


def set_defaults(environment: Path) -> None:
    """Set what JupyterLab does unless told otherwise, in this environment alone."""
    if sys.prefix == sys.base_prefix:
        return  # no environment of our own: the settings are somebody else's
    settings = environment / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    with contextlib.suppress(OSError, ValueError):  # a question more is no reason not to start
        settings.parent.mkdir(parents=True, exist_ok=True)
        known = json.loads(settings.read_text()) if settings.exists() else {}
        settings.write_text(json.dumps({**DEFAULTS, **known}))


def server_command(lesson: Path, port: int, browser: bool) -> list[str]:
    """Return the command that serves the lesson's folder, on this machine only."""
    options = {
        "ServerApp.ip": LOOPBACK,
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.base_url": "/",
        "ServerApp.open_browser": browser,
        # Ctrl-C ends it without another question.
        "ServerApp.answer_yes": True,
        # Added to the extensions that are installed: it saves a panel as its sentence.
        "ServerApp.jpserver_extensions": {"lab.saving": True},
        # The course needs no network: no news, no updates, no list of extensions.
        "LabApp.news_url": None,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.extension_manager": "readonly",
        "Application.log_level": "ERROR",
    }
    if kernels_can_encrypt():
        options["KernelManager.transport_encryption"] = "auto"
    command = [sys.executable, "-m", "jupyterlab", str(lesson)]
    command += [f"--{name}={value}" for name, value in options.items()]
    return command + ["--allow-root"] * is_root()


def kernels_can_encrypt() -> bool:
    """Say whether kernels can encrypt what they tell the server.

    Where they can and are not told to, each kernel prints a warning that only
    a network would deserve, and nothing here leaves this machine.
    """
    try:
        zmq = importlib.import_module("zmq")
        manager = importlib.import_module("jupyter_client.manager").KernelManager
    except ImportError:
        return False
    return bool(zmq.has("curve")) and hasattr(manager, "transport_encryption")


def server_environment(root: Path, token: str) -> dict[str, str]:
    """Return the environment of the server.

    The token goes in here because a command line can be read by everyone on
    the machine. The page that sends the browser to the address lies in
    ``work/``: browsers packed as snaps cannot read hidden folders at home.
    """
    return {
        **os.environ,
        "JUPYTER_TOKEN": token,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_RUNTIME_DIR": str(root / "work" / ".runtime"),
    }


def attend(server: subprocess.Popen[bytes], port: int, when_ready: Callable[[], None]) -> int:
    """Wait until the server answers, say so, and stay until it ends."""
    with contextlib.suppress(ValueError):  # Not the main thread: then nobody signals us.
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    try:
        if not wait_until_ready(server, port):
            raise Problem("JupyterLab did not start. The lines above are its own.")
        when_ready()
        server.wait()
    except KeyboardInterrupt:
        say_goodbye(server)
    print("JupyterLab is closed. What you saved is in work/; the same command opens it again.")
    return 0


def say_goodbye(server: subprocess.Popen[bytes]) -> None:
    """Let the server end by itself after Ctrl-C, and end it where it does not."""
    try:
        server.wait(FAREWELL_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        server.terminate()


def wait_until_ready(server: subprocess.Popen[bytes], port: int) -> bool:
    """Return False when the server ended before it answered."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while server.poll() is None:
        if answers(port) or time.monotonic() > give_up:
            return True
        time.sleep(0.1)
    return False


def answers(port: int) -> bool:
    """Say whether a server answers on the port; a proxy is never asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{LOOPBACK}:{port}/api", timeout=2):
            return True
    except OSError:
        return False


def welcome(address: str, port: int, browser: bool) -> None:
    """Say where the lessons are and how to stop."""
    if browser:
        print("\nYour browser opens the first lesson. Should it not, this is the address:")
    else:
        print("\nThe lessons are ready. Open this address in a browser:")
    print(f"\n    {address}\n")
    if "SSH_CONNECTION" in os.environ:
        print("You came here over SSH. In a second window on your own computer, first give")
        print(f"    ssh -L {port}:{LOOPBACK}:{port} THIS-MACHINE")
        print("and then open the address there.\n")
    print("It works on this machine only. Leave this window open; Ctrl-C in it closes", end=" ")
    print("JupyterLab.", flush=True)


def headless(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Say whether there is no screen on which a browser could open."""
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return True
    screen = environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")
    return platform.startswith("linux") and not screen


def is_root() -> bool:
    """Say whether this process runs as root; on Windows nobody does."""
    return getattr(os, "geteuid", lambda: -1)() == 0


def usable_port(port: int) -> int:
    """Return the port the learner asked for, if it can be used."""
    if not is_free(port):
        raise Problem(
            f"Port {port} cannot be used: another program has it, or it is not allowed.\n"
            "Leave --port out, and a free one is found."
        )
    return port


def free_port(first: int = FIRST_PORT) -> int:
    """Return the first free port from ``first`` on."""
    for port in range(first, first + 100):
        if is_free(port):
            return port
    raise Problem(f"No port from {first} to {first + 99} is free. Name one: --port N")


def is_free(port: int) -> bool:
    """Say whether a server could listen on this port of this machine."""
    with socket.socket() as probe:
        if os.name == "posix":
            # As servers do: without it a port counts as taken for a minute
            # after the last server on it has gone.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen()
        except (OSError, OverflowError):
            return False
        return True
