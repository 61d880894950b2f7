"""Reports the fonts that a document uses and that are not installed."""

from packages import fonts_of_package

SHAPES_MAX = 2_000
PORTIONS_MAX = 50
SHEETS_MAX = 50
STYLES_MAX = 2_000
# CSS keywords, and fonts that LibreOffice maps character by character to its own symbols.
NO_FONTS = {"inherit", "initial", "symbol", "wingdings", "wingdings 2", "wingdings 3", "webdings", "starsymbol", "opensymbol", "zapfdingbats"}

known = set()


def missing_fonts(context, document, kind, path):
    """@param path the document's file
    @return the sorted names of the fonts used, as far as styles and shapes specify them; each of
    them was replaced
    """
    packaged = fonts_of_package(path) if kind == "text" else None
    named = {first_of(name) for name in (namers[kind](document) if packaged is None else packaged)}
    named = {name for name in named if any(map(str.isalpha, name)) and name.lower() not in NO_FONTS}
    if any(name.lower() not in known for name in named):
        # The document may have embedded fonts.
        known.clear()
        known.update(available(context))
    return sorted(name for name in named if name.lower() not in known)


def first_of(name):
    """Of a list of fonts, the first is used."""
    return (name or "").split(";")[0].strip()


def available(context):
    toolkit = context.ServiceManager.createInstanceWithContext("com.sun.star.awt.Toolkit", context)
    device = toolkit.createScreenCompatibleDevice(1, 1)
    return {font.Name.lower() for font in device.getFontDescriptors()}


def of_text(document):
    text = document.Text.getString()
    names = of_properties(text)
    for family in ("ParagraphStyles", "CharacterStyles"):
        styles = document.StyleFamilies.getByName(family)
        for index in range(min(styles.Count, STYLES_MAX)):
            style = styles.getByIndex(index)
            if style.isInUse():
                yield from names(style)
        automatic = document.AutoStyles.getByName(family).createEnumeration()
        for _ in range(STYLES_MAX):
            if not automatic.hasMoreElements():
                break
            yield from names(automatic.nextElement())


def of_sheets(document):
    for index in range(min(document.Sheets.Count, SHEETS_MAX)):
        formats = document.Sheets.getByIndex(index).UniqueCellFormatRanges
        for position in range(min(formats.Count, STYLES_MAX)):
            yield formats.getByIndex(position).getByIndex(0).CharFontName


def of_shapes(document):
    for shape in shapes_of(document):
        if hasattr(shape, "CharFontName") and shape.getString().strip():
            yield shape.CharFontName


def of_drawing(document):
    """Drawings have few shapes, and their text has its fonts in portions."""
    for shape in shapes_of(document):
        if hasattr(shape, "createEnumeration") and shape.getString().strip():
            yield from of_portions(shape)


def of_portions(shape):
    for paragraph in elements(shape):
        for portion in elements(paragraph):
            if portion.getString().strip():
                yield portion.CharFontName


def elements(container):
    items = container.createEnumeration()
    for _ in range(PORTIONS_MAX):
        if not items.hasMoreElements():
            return
        yield items.nextElement()


def shapes_of(document):
    """@return up to SHAPES_MAX shapes of all pages, those in groups included"""
    pages = document.DrawPages
    waiting = [pages.getByIndex(index) for index in reversed(range(pages.Count))]
    left = SHAPES_MAX
    while waiting:
        group = waiting.pop()
        for position in range(group.Count):
            left -= 1
            if left < 0:
                return
            shape = group.getByIndex(position)
            if hasattr(shape, "getByIndex"):
                waiting.append(shape)
            else:
                yield shape


def of_properties(text):
    """Every document names fonts for Asian and complex scripts; they count only if it has such text."""
    asian = any("\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in text)
    complexes = any("\u0590" <= letter <= "\u0fff" for letter in text)
    wanted = ["CharFontName", *(["CharFontNameAsian"] if asian else []), *(["CharFontNameComplex"] if complexes else [])]

    def names(style):
        return [style.getPropertyValue(name) for name in wanted]

    return names


namers = {"text": of_text, "sheets": of_sheets, "slides": of_shapes, "drawing": of_drawing}
