"""A notebook that is open in a browser, driven and read through JupyterLab's own model of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.server import Server

# What takes a second here may take many on a machine that is busy.
PATIENCE_MS = 120_000

IDLE = """path => {
  const panel = window.jupyterapp?.shell.currentWidget;
  return panel?.context?.path === path && panel.context.isReady
    && panel.sessionContext.session?.kernel?.status === 'idle';
}"""
# A promise that is never kept would be waited for without end.
DO = """([command, argument, patience]) => Promise.race([
  window.jupyterapp.commands.execute(command, argument).then(() => null),
  new Promise((_, no) => setTimeout(() => no(new Error(`${command} took too long`)), patience)),
])"""
CLOSED = """async () => {
  for (const panel of [...window.jupyterapp.shell.widgets('main')]) {
    await panel.sessionContext?.shutdown();
    panel.dispose();
  }
}"""
AS_NEW = """async theme => {
  window.jupyterapp.shell.expandLeft();
  if (document.body.dataset.jpThemeName !== theme)
    await window.jupyterapp.commands.execute('apputils:change-theme', {theme});
}"""
LIGHT = "JupyterLab Light"
SAYS = "window.jupyterapp.shell.currentWidget"


def enter(page: Page, server: Server) -> None:
    """Load JupyterLab, with nothing open in it; that takes seconds, so it is done once."""
    page.set_default_timeout(PATIENCE_MS)
    page.goto(server.address())
    page.wait_for_function("() => window.jupyterapp?.commands")
    page.evaluate("() => window.jupyterapp.restored.then(() => null)")


def leave(page: Page) -> None:
    """End every kernel and close every notebook, saved or not; the page is as it was at first."""
    page.evaluate(CLOSED)
    page.evaluate(AS_NEW, LIGHT)


class Lesson:
    """A notebook in JupyterLab on one page."""

    def __init__(self, page: Page, server: Server, name: str) -> None:
        self.page = page
        self.name = name
        self._server = server

    def open(self) -> None:
        """Open the notebook, and wait for its kernel."""
        self.do("docmanager:open", path=self.name)
        self._wait_until_idle()

    def open_without_kernel(self) -> None:
        """Open the notebook as one that nothing runs behind."""
        enter(self.page, self._server)
        no = {"shouldStart": False, "canStart": False, "autoStartDefault": False}
        self.do("docmanager:open", path=self.name, kernelPreference=no)

    def run_all(self) -> None:
        """Run every cell, and wait until the kernel has nothing left to do."""
        self.do("notebook:run-all-cells")
        self._wait_until_idle()

    def save(self) -> None:
        """Save the notebook."""
        self.do("docmanager:save")

    def do(self, command: str, **argument: object) -> None:
        """Carry out one of JupyterLab's commands to its end."""
        self.page.evaluate(DO, [command, argument, PATIENCE_MS])

    def notebook(self) -> Any:
        """Return the notebook as it stands in the browser now."""
        return self.page.evaluate(f"() => {SAYS}.content.model.toJSON()")

    def not_run(self) -> list[str]:
        """Return the cells that were not run to their end, or ended in an error nobody expects."""
        found = []
        for cell in self.notebook()["cells"]:
            if cell["cell_type"] != "code":
                continue
            errors = [one for one in cell["outputs"] if one["output_type"] == "error"]
            if cell["execution_count"] is None:
                found.append(f"{cell['id']}: not run")
            elif errors and "raises-exception" not in cell["metadata"].get("tags", []):
                found.append(f"{cell['id']}: {errors[0]['ename']}: {errors[0]['evalue']}")
        return found

    def _wait_until_idle(self) -> None:
        self.page.wait_for_function(IDLE, arg=self.name)
