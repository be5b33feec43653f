"""What axe-core finds in what is ours: rendered text and outputs.

JupyterLab's own parts of the page (menus, list of files, toolbars, prompts, editors) are left out:
they are not the course's to mend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

OURS = {"include": [[".jp-MarkdownOutput"], [".jp-OutputArea-output"]]}
GRAVE = ("serious", "critical")
# JupyterLab's body has no height, so axe takes the whole notebook for hidden, and checks no colour.
SEEN = "body { height: 100vh }"


def flaws(page: Page) -> list[str]:
    """Return what axe calls serious or critical, a line each: the rule, and the first element."""
    from axe_playwright_python.sync_playwright import Axe

    page.add_style_tag(content=SEEN)
    found = Axe().run(page, context=OURS, options={"resultTypes": ["violations"]})
    return [
        f"{one['id']}, {len(one['nodes'])} times: {one['nodes'][0]['html']}"
        for one in found.response["violations"]
        if one["impact"] in GRAVE
    ]
