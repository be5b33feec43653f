"""A JupyterLab as ``lab course`` starts it, on copies of the lessons and folders of its own."""

from __future__ import annotations

import json
import secrets
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lab import course, jupyter

# Under load a first start takes many seconds; a server that answers answers within a few.
ANSWER_SECONDS = 60


class Server:
    """A running JupyterLab; ``work`` is the folder it serves."""

    def __init__(self, root: Path, port: int) -> None:
        self.work = root / "work"
        self.port = port
        self.token = secrets.token_hex(16)
        self._environment = {
            **jupyter.server_environment(root, self.token),
            # Those that ``tests/conftest.py`` does not set.
            "HOME": str(root),
            "USERPROFILE": str(root),
            "JUPYTERLAB_SETTINGS_DIR": str(root / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(root / "workspaces"),
        }

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process with the command that learners start."""
        write_settings(Path(self._environment["JUPYTERLAB_SETTINGS_DIR"]))
        command = jupyter.server_command(self.work, self.port, browser=False)
        command.append("--LabApp.expose_app_in_browser=True")
        return subprocess.Popen(command, cwd=course.ROOT, env=self._environment)

    def address(self) -> str:
        """Return where a browser finds it, with nothing left open."""
        return self._url("lab", f"token={self.token}&reset")

    def ask(self, path: str, method: str = "GET", sent: object = None) -> Any:
        """Ask the server's own interface, and return its answer; a proxy is never asked."""
        body = None if sent is None else json.dumps(sent).encode()
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self._url(path), body, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=ANSWER_SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _url(self, path: str, query: str = "") -> str:
        return f"http://{jupyter.LOOPBACK}:{self.port}/{path}?{query}"


@contextmanager
def serving(root: Path) -> Iterator[Server]:
    """Serve the folder ``work`` of ``root`` until the block is left; kernels end with it."""
    server = Server(root, unused_port())
    with server.start() as process:
        try:
            assert jupyter.wait_until_ready(process, server.port), "JupyterLab did not start"
            yield server
        finally:
            end(server, process)


def end(server: Server, process: subprocess.Popen[bytes]) -> None:
    """Ask the server to end, and its kernels with it; end it where it does not."""
    with suppress(OSError):
        server.ask("api/shutdown", "POST")
    try:
        process.wait(ANSWER_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def copy_lessons(root: Path) -> None:
    """Give ``root`` a folder ``work`` with all that a learner gets there."""
    shutil.copytree(course.ROOT / "notebooks", root / "notebooks")
    course.copy_lessons(root)


def write_settings(folder: Path) -> None:
    """Set for this server what ``lab course`` sets for the environment: no question about news.

    And every cell is on the page, not only those that are in sight.
    """
    all_cells = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
    for plugin, settings in (jupyter.DEFAULTS | all_cells).items():
        file = folder / f"{plugin.replace(':', '/')}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))


def unused_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server((jupyter.LOOPBACK, 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
