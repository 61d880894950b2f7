"""Extracts one sheet of a workbook."""

FORMULAS = 16


def used_area(document):
    """@return the columns and rows of the sheet with the largest rectangle of used cells"""
    areas = [(0, 0)]
    for name in document.Sheets.ElementNames:
        cursor = document.Sheets.getByName(name).createCursor()
        cursor.gotoEndOfUsedArea(False)
        areas.append((cursor.RangeAddress.EndColumn + 1, cursor.RangeAddress.EndRow + 1))
    return max(areas, key=lambda area: area[0] * area[1])


def choose_sheet(document, wanted):
    """Removes the other sheets; formulas that refer to them keep their values.

    @param wanted a name, or a number starting at 1
    @raise LookupError when the sheet does not exist
    """
    sheets = document.Sheets
    if isinstance(wanted, int):
        if not 1 <= wanted <= sheets.Count:
            raise LookupError(f"The workbook has {sheets.Count} sheets.")
        wanted = sheets.getByIndex(wanted - 1).Name
    elif not sheets.hasByName(wanted):
        raise LookupError(f"Available sheets: {', '.join(sheets.ElementNames)}."[:500])
    chosen = sheets.getByName(wanted)
    chosen.IsVisible = True
    others = [name for name in sheets.ElementNames if name != wanted]
    if others:
        freeze(chosen)
    for name in others:
        sheets.removeByName(name)


def freeze(sheet):
    """Formulas are replaced with their values: references to other sheets would become errors."""
    for cell_range in sheet.queryContentCells(FORMULAS).RangeAddresses:
        cells = sheet.getCellRangeByPosition(cell_range.StartColumn, cell_range.StartRow, cell_range.EndColumn, cell_range.EndRow)
        cells.setDataArray(cells.getDataArray())
