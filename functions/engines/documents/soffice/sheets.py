"""Extracts one sheet of a workbook, and fits sheets to the page."""

import math

FORMULAS = 16
# Sheets are not shrunk below this scale to fit the width of one page: they would not be readable.
SCALE_MIN = 0.3
# A sheet that fits a portrait page at this scale is not turned.
PORTRAIT_SCALE_MIN = 0.8
SHAPES_MAX = 2_000


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


def fit_pages(document, fit):
    """Scales the printed sheets.

    @param fit `width` for one page wide, `page` for a single page, `none` for the workbook's own setup; None for
    `width` where the workbook has no own setup
    """
    by_style = {}
    for name in document.Sheets.ElementNames:
        sheet = document.Sheets.getByName(name)
        by_style.setdefault(sheet.PageStyle, []).append(sheet)
    styles = document.StyleFamilies.getByName("PageStyles")
    for name, sheets in by_style.items():
        style = styles.getByName(name)
        if fit != "none" and (fit is not None or not has_setup(style, sheets)):
            fit_style(style, sheets, fit == "page")


def has_setup(style, sheets):
    """@return whether the workbook sets a scale, print areas or page breaks"""
    scaled = style.PageScale not in (0, 100) or style.ScaleToPages > 0 or style.ScaleToPagesX > 0 or style.ScaleToPagesY > 0
    return scaled or any(sheet.getPrintAreas() or any(brk.ManualBreak for brk in sheet.getColumnPageBreaks()) for sheet in sheets)


def fit_style(style, sheets, single):
    width = max(width_of(sheet) for sheet in sheets)
    margins = style.LeftMargin + style.RightMargin
    if width * PORTRAIT_SCALE_MIN > style.Width - margins and style.Height > style.Width:
        style.Width, style.Height = style.Height, style.Width
    style.PageScale = 100
    style.ScaleToPagesX = 1 if single else max(1, math.ceil(width * SCALE_MIN / max(1, style.Width - margins)))
    style.ScaleToPagesY = 1 if single else 0


def width_of(sheet):
    """@return the distance of the last used column's or drawing's right edge, in hundredths of a millimeter"""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    cells = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    page = sheet.DrawPage
    shapes = (page.getByIndex(index) for index in range(min(page.Count, SHAPES_MAX)))
    return max([cells.Size.Width, *(shape.Position.X + shape.Size.Width for shape in shapes)])
