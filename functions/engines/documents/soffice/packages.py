"""Reads the fonts of a Word or OpenDocument document from its file: querying LibreOffice for
each style takes ten times as long as the conversion.
"""

import html
import re
import zipfile

PART_BYTES_MAX = 50_000_000
PARTS_MAX = 100
ASIAN = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
COMPLEX = re.compile("[\u0590-\u0fff]")


def fonts_of_package(path):
    """@return the names; None if the file is not such a package and LibreOffice must be queried"""
    try:
        with zipfile.ZipFile(path) as package:
            names = package.namelist()
            if "word/document.xml" in names:
                return fonts_of_word(package, names)
            if "content.xml" in names and "styles.xml" in names and "META-INF/manifest.xml" in names:
                return fonts_of_open_document(package)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError):
        # The file is damaged or encrypted, but LibreOffice has opened it.
        return None
    return None


def read(package, name):
    with package.open(name) as part:
        return part.read(PART_BYTES_MAX).decode("utf8", "replace")


def fonts_of_word(package, names):
    texts = [name for name in names if re.fullmatch(r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml", name)]
    body = "".join(read(package, name) for name in texts[:PARTS_MAX])
    styles = read(package, "word/styles.xml") if "word/styles.xml" in names else ""
    theme = read(package, "word/theme/theme1.xml") if "word/theme/theme1.xml" in names else ""
    scripts = ["ascii", *(["eastAsia"] if ASIAN.search(body) else []), *(["cs"] if COMPLEX.search(body) else [])]
    table = {}
    for attributes, content in re.findall(r"<w:style\b([^>]*)>(.*?)</w:style>", styles, re.S):
        fonts = re.search(r"<w:rFonts\b[^>]*>", content)
        based = re.search(r'<w:basedOn w:val="([^"]*)"', content)
        table[value(attributes, "w:styleId")] = (fonts and fonts[0] or "", based and based[1])
        if 'w:default="1"' in attributes and 'w:type="paragraph"' in attributes:
            table[""] = (fonts and fonts[0] or "", None)
    defaults = re.search(r"<w:docDefaults>.*?(<w:rFonts\b[^>]*>)", styles, re.S)
    used = set(re.findall(r'<w:(?:pStyle|rStyle) w:val="([^"]*)"', body))
    if len(re.findall(r"<w:p[ >]", body)) > body.count("<w:pStyle "):
        used.add("")
    found = set()
    for script in scripts:
        for properties in re.findall(r"<w:rFonts\b[^>]*>", body):
            found.add(word_font(properties, script, theme))
        for style in used:
            chain = [table[name][0] for name in chain_of(table, style)]
            fonts = [word_font(properties, script, theme) for properties in [*chain, defaults[1] if defaults else ""]]
            found.add(next(filter(None, fonts), ""))
    return {html.unescape(name) for name in found if name}


def chain_of(table, name):
    """@return the style and its ancestors, each once"""
    seen = []
    while name in table and name not in seen:
        seen.append(name)
        name = table[name][1]
    return seen


def word_font(properties, script, theme):
    themed = value(properties, f"w:{script}Theme" if script != "cs" else "w:cstheme")
    if themed:
        kind = "major" if themed.startswith("major") else "minor"
        tag = {"ascii": "latin", "eastAsia": "ea", "cs": "cs"}[script]
        named = re.search(rf'<a:{kind}Font>.*?<a:{tag} typeface="([^"]*)"', theme, re.S)
        return named[1] if named else ""
    return value(properties, f"w:{script}")


def fonts_of_open_document(package):
    content, styles = read(package, "content.xml"), read(package, "styles.xml")
    start = max(content.find("<office:body"), 0)
    body = content[start:] + styles[max(styles.find("<office:master-styles"), 0) :]
    suffixes = ["", *(["-asian"] if ASIAN.search(body) else []), *(["-complex"] if COMPLEX.search(body) else [])]
    faces = {
        value(face, "style:name"): value(face, "svg:font-family")
        for face in re.findall(r"<style:font-face\b[^>]*>", content[:start] + styles)
    }
    table = {}
    for kind, attributes, inside in re.findall(
        r"<style:(style|default-style)\b([^>]*[^/>])>(.*?)</style:\1>", content[:start] + styles, re.S
    ):
        text = re.search(r"<style:text-properties\b[^>]*>", inside)
        name = value(attributes, "style:name") if kind == "style" else f"default {value(attributes, 'style:family')}"
        table[name] = (text and text[0] or "", value(attributes, "style:parent-style-name") or "default paragraph")
    found = set()
    for style in {"Standard", *re.findall(r'text:style-name="([^"]*)"', body)}:
        for suffix in suffixes:
            fonts = [
                faces.get(value(table[name][0], f"style:font-name{suffix}"))
                or value(table[name][0], f"fo:font-family" if suffix == "" else f"style:font-family{suffix}")
                for name in chain_of(table, style)
            ]
            found.add(next(filter(None, fonts), ""))
    return {html.unescape(name).split(",")[0].strip("' \"") for name in found if name}


def value(tag, name):
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""
