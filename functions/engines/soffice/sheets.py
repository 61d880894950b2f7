"""Takes one sheet of a workbook."""

FORMULAS = 16


def choose_sheet(document, wanted):
    """
    Takes the other sheets away; what refers to them keeps its values.

    @param wanted a name, or a number from 1
    @raise LookupError when there is no such sheet
    """
    sheets = document.Sheets
    if isinstance(wanted, int):
        if not 1 <= wanted <= sheets.Count:
            raise LookupError(f"The workbook has {sheets.Count} sheets.")
        wanted = sheets.getByIndex(wanted - 1).Name
    elif not sheets.hasByName(wanted):
        raise LookupError(f"The workbook has the sheets {', '.join(sheets.ElementNames)}."[:500])
    chosen = sheets.getByName(wanted)
    chosen.IsVisible = True
    others = [name for name in sheets.ElementNames if name != wanted]
    if others:
        freeze(chosen)
    for name in others:
        sheets.removeByName(name)


def freeze(sheet):
    """Formulas become what they show: those that refer to other sheets would become errors."""
    for place in sheet.queryContentCells(FORMULAS).RangeAddresses:
        cells = sheet.getCellRangeByPosition(place.StartColumn, place.StartRow, place.EndColumn, place.EndRow)
        cells.setDataArray(cells.getDataArray())
