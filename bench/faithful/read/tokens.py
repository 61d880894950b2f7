"""Prints what files contain as a JSON list: `tokens.py KIND FORMAT PATH...`."""

import csv
import datetime
import email
import email.policy
import html
import io
import json
import plistlib
import re
import sys
import tomllib
import xml.etree.ElementTree as xml

VALUES_MAX = 200_000


def plain(value):
    """The value as text: the same for a number, a date and a boolean in every format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"{value:.10g}"
    if isinstance(value, datetime.datetime):
        # At midnight only the date, as other formats write it.
        is_date = value.time() == datetime.time() and value.tzinfo is None
        return str(value.date()) if is_date else short(value.isoformat()).replace("+00:00", "Z")
    if isinstance(value, (datetime.date, datetime.time)):
        return short(value.isoformat())
    text = re.sub(r"\s+", " ", str(value)).strip()
    if text.lower() in ("true", "false"):
        return text.lower()
    if re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text):
        return f"{float(text):.10g}"
    return re.sub(r"^(\d{4}-\d\d-\d\d)[T ](00:00:00(\.000)?Z?|(\d\d:\d\d:\d\d)(\.000)?)$", with_time, text)


def short(time):
    """The time without trailing zeros of its fraction: Python writes microseconds."""
    return re.sub(r"(\.\d*?)0+(?=[+-]|$)", r"\1", time)


def with_time(match):
    return match[1] if match[2].startswith("00:00:00") else f"{match[1]}T{match[4]}"


def text_of(path):
    data = open(path, "rb").read()
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def rows_of(path, form):
    text = text_of(path)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if form == "tsv" else delimiter_of(text)))


def delimiter_of(text):
    line = text.split("\n", 1)[0]
    return max(",;\t", key=line.count)


def national(cell):
    """A number with a decimal comma, and a date as in 31.12.2023, as workbooks store them."""
    if re.fullmatch(r"-?(\d{1,3}(\.\d{3})+|\d+),\d+", cell):
        return cell.replace(".", "").replace(",", ".")
    return re.sub(r"^(\d\d)\.(\d\d)\.(\d{4})$", r"\3-\2-\1", cell)


def cells(path, form):
    """Booleans are numbers in some formats."""
    return [{"true": "1", "false": "0"}.get(token, token) for token in cell_texts(path, form)]


def cell_texts(path, form):
    if form == "xlsx":
        import openpyxl

        book = openpyxl.load_workbook(path, data_only=True)
        # Rows of hidden sheets are cells as well.
        return [plain(cell) for sheet in book.worksheets for row in sheet.iter_rows(values_only=True) for cell in row]
    if form in ("csv", "tsv"):
        is_national = form == "tsv" or delimiter_of(text_of(path)) != ","
        return [plain(national(cell) if is_national else cell) for row in rows_of(path, form) for cell in row]
    records = values_in(path, form)
    keys = {key for record in records if isinstance(record, dict) for key in record}
    return [*(plain(key) for key in keys), *(token.split("=", 1)[1] for token in flat(records, ""))]


def flat(value, key):
    """`key=value` of each scalar; elements of a list have the key of the list."""
    if isinstance(value, dict):
        for name, each in value.items():
            own = re.sub(r"\W|_", "", re.split(r"[.:]", str(name))[-1])
            own = own if own and not own.isdigit() and own != "text" else key
            # `xsi:nil` says that a value is missing.
            yield from flat(each if own != "nil" else None, own)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from flat(each, key)
    elif isinstance(value, str) and value[:1] in "[{" and value[-1:] in "]}" and is_json(value):
        yield from flat(json.loads(value), key)
    elif plain(value) != "":
        # A list of scalars becomes a column with a name.
        yield f"{key or 'value'}={plain(value)}"


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def element(node):
    children = {}
    for child in node:
        children.setdefault(local(child.tag), []).append(element(child))
    return {**{local(name): value for name, value in node.attrib.items()}, **children, "#text": (node.text or "").strip()}


def local(name):
    return name.rsplit("}", 1)[-1]


def values_in(path, form):
    if form in ("csv", "tsv"):
        head, *rows = rows_of(path, form) or [[]]
        return [dict(zip(head, row)) for row in rows]
    if form == "ndjson":
        return [json.loads(line) for line in text_of(path).splitlines() if line.strip()]
    if form == "yaml":
        import yaml

        return list(yaml.safe_load_all(text_of(path)))
    if form == "toml":
        return tomllib.loads(text_of(path))
    if form == "plist":
        return plistlib.load(open(path, "rb"))
    if form == "xml":
        root = xml.parse(path).getroot()
        return {local(root.tag): element(root)}
    return json.loads(text_of(path))


def values(path, form):
    return list(flat(values_in(path, form), ""))


def mail(path, _form):
    message = email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)
    body = message.get_body(("html", "plain"))
    text = body.get_content() if body else ""
    if body and body.get_content_subtype() == "html":
        visible = re.sub(r"(?is)<(script|style|title|head)\b.*?</\1>|<[^>]*>", " ", text)
        text = html.unescape(visible)
    return [str(message[name]) for name in ("subject", "from", "to") if message[name]] + [text]


# Fields that GDAL adds, or that only say how a map draws a feature.
DRAWN = {"tessellate", "extrude", "visibility", "draworder", "icon", "altitudemode", "begin", "end", "timestamp", "snippet", "ele"}


def coordinates(shape):
    """The positions, because a line may become a line of several parts."""
    flat_text = re.sub(r"[A-Z() ]*\(|\)", " ", shape.ExportToWkt())
    points = [point.split()[:2] for point in flat_text.split(",")]
    return [" ".join(f"{float(number):.6g}" for number in point) for point in points if len(point) == 2]


def day(text):
    """A date as GDAL prints it in any of its drivers."""
    return re.sub(r"[ T]00:00:00(\+00|Z)?$", "", re.sub(r"^(\d{4})/(\d\d)/(\d\d)", r"\1-\2-\3", text))


def place(path, _form):
    from osgeo import gdal, ogr

    gdal.UseExceptions()
    tokens = []
    source = ogr.Open(path)
    layers = [source.GetLayer(index) for index in range(source.GetLayerCount())]
    for layer in layers:
        for feature in [] if layer.GetName() in ("route_points", "track_points") else layer:
            shape = feature.GetGeometryRef()
            tokens += coordinates(shape) if shape else []
            fields = [(name.lower(), day(plain(value))) for name, value in feature.items().items()]
            tokens += [value for name, value in fields if name not in DRAWN and value]
    return tokens


def font(path, _form):
    from fontTools.ttLib import TTFont

    faces = TTFont(path, fontNumber=0)
    names = {record.toUnicode() for record in faces["name"].names if record.nameID in (1, 2, 4, 6)}
    return [f"U+{code:04X}" for code in faces.getBestCmap() or {}] + sorted(names) + [f"{faces['maxp'].numGlyphs} glyphs"]


KINDS = {"cells": cells, "values": values, "mail": mail, "map": place, "font": font}
kind, form, *paths = sys.argv[1:]
found = [token for path in paths for token in KINDS[kind](path, form) if token != ""]
json.dump(found[:VALUES_MAX], sys.stdout)
