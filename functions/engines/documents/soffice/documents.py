"""Opens a document in LibreOffice and saves it in another format."""

import uno
import unohelper
from com.sun.star.beans import PropertyValue
from com.sun.star.document.MacroExecMode import NEVER_EXECUTE
from com.sun.star.document.UpdateDocMode import NO_UPDATE
from com.sun.star.lang import DisposedException
from com.sun.star.task import XInteractionHandler2

from drawings import fit_page, is_empty
from fonts import missing_fonts
from sheets import choose_sheet, fit_pages, used_area

# Document types, most specific first: a drawing supports many services of a presentation.
KINDS = {
    "text": "com.sun.star.text.GenericTextDocument",
    "sheets": "com.sun.star.sheet.SpreadsheetDocument",
    "slides": "com.sun.star.presentation.PresentationDocument",
    "drawing": "com.sun.star.drawing.DrawingDocument",
}


CHECKED_BYTES = 50_000_000
# Writer's page preview. Its editor crashes with comments: it creates their windows, even when hidden, and Debian's
# packages without a GUI do not have the description of these windows.
PAGE_PREVIEW = 7


class Refused(Exception):
    """The document cannot be converted because of its content."""

    def __init__(self, reason, detail=""):
        super().__init__(detail)
        self.reason = reason


def convert(context, task):
    """@param task `OfficeTask` in plan.ts
    @return the document type, the number of pages, and the fonts it uses that are not installed
    """
    document = load(context, task)
    try:
        kind = next((kind for kind, service in KINDS.items() if document.supportsService(service)), "other")
        if kind not in task["filters"]:
            raise Refused("kind", kind)
        if task.get("computes"):
            document.calculateAll()
        if "sheet" in task:
            choose(document, task["sheet"])
        if kind == "sheets" and "areaCellsMax" in task:
            columns, rows = used_area(document)
            if columns * rows > task["areaCellsMax"]:
                raise Refused("area", f"{columns} columns and {rows} rows")
            fit_pages(document, task.get("sheetFit"))
        pages = document.getRendererCount(document, ()) if "pagesMax" in task else 0
        if pages > task.get("pagesMax", pages):
            raise Refused("pages", str(pages))
        if task.get("refusesEmpty") and is_empty(document, kind):
            raise Refused("empty")
        if task.get("fitsDrawing"):
            fit_page(document.DrawPages.getByIndex(0))
        if "pagesMax" in task and "PageRange" in task.get("filterData", {}) and not is_within(task["filterData"]["PageRange"], pages):
            raise Refused("range", str(pages))
        fonts = missing_fonts(context, document, kind, task["input"]) if task.get("reportsFonts") else []
        store(document, task, kind)
        return {"kind": kind, "pages": pages, "fonts": fonts}
    finally:
        document.close(True)


def is_within(ranges, pages):
    """@return whether one of the ranges (`1-3,7,9-`) begins at an existing page"""
    return any(1 <= max(1, int(first.split("-")[0])) <= pages for first in ranges.split(","))


def choose(document, sheet):
    try:
        choose_sheet(document, sheet)
    except LookupError as error:
        raise Refused("sheet", error.args[0]) from error


def load(context, task):
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    answers = Answers(task.get("password"))
    how = {
        "Hidden": True,
        # A read-only document would not allow removing the other sheets.
        "ReadOnly": "sheet" not in task,
        "MacroExecutionMode": NEVER_EXECUTE,
        "UpdateDocMode": NO_UPDATE,
        "InteractionHandler": answers,
        **({"ViewId": PAGE_PREVIEW} if task.get("isText") else {}),
    }
    document = None
    try:
        document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(task["input"]), "_blank", 0, values(how))
    except DisposedException:
        raise
    except Exception as error:
        answers.errors.append(repr(error))
    if document is None:
        # When LibreOffice exits while loading, some versions report an ordinary error. This call then fails as disposed.
        desktop.getCurrentComponent()
        reason = "password" if answers.asked else "encrypted" if is_encrypted(task["input"]) else "open"
        raise Refused(reason, "; ".join(answers.errors))
    return document


def is_encrypted(path):
    """@return whether it is an encrypted PowerPoint 97 presentation, which LibreOffice reports as
    damaged
    """
    with open(path, "rb") as file:
        return "EncryptedSummary".encode("utf-16-le") in file.read(CHECKED_BYTES)


def store(document, task, kind):
    how = {"FilterName": task["filters"][kind], "Overwrite": True}
    if "filterOptions" in task:
        how["FilterOptions"] = task["filterOptions"]
    if "filterData" in task:
        how["FilterData"] = uno.Any("[]com.sun.star.beans.PropertyValue", values(task["filterData"]))
    document.storeToURL(uno.systemPathToFileUrl(task["output"]), values(how))


def values(named):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in named.items())


class Answers(unohelper.Base, XInteractionHandler2):
    """Answers LibreOffice's interactive prompts: supplies the password once, and declines all
    repairs.
    """

    def __init__(self, password):
        self.password = password
        self.asked = False
        self.errors = []

    def handle(self, request):
        self.handleInteractionRequest(request)

    def handleInteractionRequest(self, request):
        # Some Python versions cannot read the request, so its type is detected from the available answers.
        choices = request.getContinuations()
        opens = find(choices, "XInteractionPassword")
        self.asked = self.asked or opens is not None
        if opens is not None and self.password is not None:
            opens.setPassword(self.password)
            # A second prompt means that the password was wrong.
            self.password = None
            opens.select()
            return True
        choice = next(filter(None, (find(choices, f"XInteraction{way}") for way in ("Abort", "Disapprove", "Approve"))), None)
        if choice is not None:
            choice.select()
        return choice is not None


def find(choices, name):
    kind = uno.getTypeByName(f"com.sun.star.task.{name}")
    return next((choice for choice in choices if choice.queryInterface(kind)), None)
