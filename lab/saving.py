"""What is saved of a panel: the sentence that stands for it.

A panel lives as long as its kernel. Saved as it is and opened without that kernel, JupyterLab shows
"Error displaying widget: model not found" in its place. Saved without its view, it shows the
panel's text. The release saves lessons so, and so does JupyterLab as ``lab course`` starts it: to
JupyterLab this module is a server extension.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"


def without_panels(notebook: MutableMapping[str, Any]) -> None:
    """Take the views of panels, and the state behind them, out of a notebook.

    A view stays where an output has nothing else to show.
    """
    notebook.get("metadata", {}).pop("widgets", None)
    for cell in notebook.get("cells", ()):
        for output in cell.get("outputs") or ():
            shown = output.get("data") or {}
            if len(shown) > 1:
                shown.pop(VIEW, None)


def before_saving(model: MutableMapping[str, Any], **_: object) -> None:
    """Do so with a notebook that JupyterLab is about to save.

    Where this fails, the server writes an error to its log and saves all the same.
    """
    if model["type"] == "notebook":
        without_panels(model["content"])


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(before_saving)
