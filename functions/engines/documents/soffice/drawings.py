"""Pages of drawings and their shapes."""

from com.sun.star.awt import Point

# In hundredths of a millimeter: LibreOffice draws no page larger than 300 cm.
SIDE_MAX = 300_000


def fit_page(page):
    """Resizes the page to its content, and moves the content to the origin."""
    boxes = [(shape, shape.BoundRect) for shape in (page.getByIndex(index) for index in range(page.Count))]
    if not boxes:
        return
    left, top = (min(getattr(box, side) for _, box in boxes) for side in ("X", "Y"))
    right = max(box.X + box.Width for _, box in boxes)
    bottom = max(box.Y + box.Height for _, box in boxes)
    for side in ("BorderLeft", "BorderRight", "BorderTop", "BorderBottom"):
        setattr(page, side, 0)
    page.Width = min(max(right - left, 1), SIDE_MAX)
    page.Height = min(max(bottom - top, 1), SIDE_MAX)
    for shape, _ in boxes:
        position = shape.Position
        shape.Position = Point(position.X - left, position.Y - top)


def is_empty(document, kind):
    """@return whether it has neither text nor shapes"""
    if kind == "text":
        return not document.Text.getString().strip() and document.DrawPage.Count == 0
    pages = [document.DrawPages.getByIndex(index) for index in range(document.DrawPages.Count)]
    shapes = (page.getByIndex(index) for page in pages for index in range(page.Count))
    return not any(is_seen(shape) for shape in shapes)


def is_seen(shape):
    return not hasattr(shape, "getString") or bool(shape.getString().strip()) or "Graphic" in shape.ShapeType
