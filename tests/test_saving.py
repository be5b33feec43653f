"""A saved panel is its sentence: through the hook, and through the server that learners start."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lab import saving
from tests.browser.server import Server, serving

SENTENCE = "A panel; run the cell to see it."
VIEW = {saving.VIEW: {"model_id": "a1", "version_major": 2, "version_minor": 0}}
PRINTED = new_output("stream", text="1\n")
PANEL = new_output("display_data", data={"text/plain": SENTENCE, **VIEW})
ALONE = new_output("display_data", data=VIEW)


def notebook(*outputs: dict[str, Any]) -> Any:
    """Return a notebook with panels, as JupyterLab or nbclient holds it."""
    cells = [new_markdown_cell("# Small"), new_code_cell("panel", outputs=list(outputs))]
    return copy.deepcopy(new_notebook(cells=cells, metadata={"widgets": {"state": {}}, "mine": 1}))


def test_a_panel_is_its_sentence_and_everything_else_stays() -> None:
    held = notebook(PRINTED, PANEL)
    saving.without_panels(held)
    stream, panel = held.cells[1].outputs
    assert panel.data == {"text/plain": SENTENCE}
    assert stream == PRINTED
    assert held.metadata == {"mine": 1}
    again = copy.deepcopy(held)
    saving.without_panels(again)
    assert again == held


def test_a_view_with_nothing_beside_it_stays() -> None:
    held = notebook(ALONE)
    saving.without_panels(held)
    assert held.cells[1].outputs == [ALONE]


def test_a_notebook_of_any_shape_is_left_as_it_is() -> None:
    for strange in (
        {},
        {"metadata": {}},
        {"cells": [{}, {"outputs": None}, {"outputs": [{"data": None}, {}]}]},
        {"worksheets": [{"cells": []}], "metadata": {}},
    ):
        held: dict[str, Any] = copy.deepcopy(strange)
        saving.without_panels(held)
        assert held == strange


def test_a_file_that_is_no_notebook_is_saved_as_it_is(tmp_path: Path) -> None:
    manager = LargeFileManager(root_dir=str(tmp_path))
    manager.register_pre_save_hook(saving.before_saving)
    manager.save({"type": "file", "format": "text", "content": "a"}, "a.txt")
    manager.save({"type": "directory"}, "folder")
    assert (tmp_path / "a.txt").read_text() == "a"
    assert (tmp_path / "folder").is_dir()


def test_a_hook_that_fails_loses_no_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(saving, "without_panels", fails)
    manager = LargeFileManager(root_dir=str(tmp_path))
    manager.register_pre_save_hook(saving.before_saving)
    manager.save({"type": "notebook", "content": notebook(PANEL)}, "a.ipynb")
    assert SENTENCE in (tmp_path / "a.ipynb").read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start JupyterLab as ``lab course`` does."""
    root = tmp_path_factory.mktemp("course")
    (root / "work").mkdir()
    with serving(root) as running:
        yield running


def test_jupyterlab_as_learners_start_it_saves_the_sentence(server: Server) -> None:
    sent = {"type": "notebook", "format": "json", "content": notebook(PRINTED, PANEL)}
    server.ask("api/contents/saved.ipynb", "PUT", sent)
    saved = json.loads((server.work / "saved.ipynb").read_text("utf-8"))
    assert saved["cells"][1]["outputs"][1]["data"] == {"text/plain": [SENTENCE]}
    assert saved["metadata"] == {"mine": 1}


def test_the_other_extensions_of_the_server_stay_on(server: Server) -> None:
    assert server.ask("lab/api/settings")["settings"]
    assert server.ask("api/terminals") == []
