"""The fonts of LibreOffice: the system's, replacements for others, and emoji."""

import html
import os
import re
import shutil

SYSTEM_CONFIGURATION = "/etc/fonts/fonts.conf"
# Older versions write the color bitmaps of this font as blank space to PDF. Without it, they use monochrome fonts.
COLOR_EMOJI_VERSION = (7, 5)
COLOR_EMOJI = '<selectfont><rejectfont><pattern><patelt name="family"><string>Noto Color Emoji</string></patelt></pattern></rejectfont></selectfont>'


def own_fonts(template, fonts, folder, program):
    """Creates a fontconfig file for LibreOffice alone.

    @param template fonts.conf
    @param fonts font files to add to those of the system
    @return the environment variable with its path; none if the system has no fontconfig
    """
    system = os.environ.get("FONTCONFIG_FILE") or SYSTEM_CONFIGURATION
    if not os.path.isfile(system):
        return {}
    # LibreOffice may not be able to access other folders.
    added = os.path.join(folder, "fonts")
    os.mkdir(added)
    for font in fonts:
        shutil.copy(font, added)
    with open(template, encoding="utf8") as source:
        text = source.read().replace("SYSTEM_CONFIGURATION", html.escape(system)).replace("ADDED_FONTS", html.escape(added))
    if version_of(program) < COLOR_EMOJI_VERSION:
        text = text.replace("<!-- REJECTED_FONTS -->", COLOR_EMOJI)
    path = os.path.join(folder, "fonts.conf")
    with open(path, "w", encoding="utf8") as target:
        target.write(text)
    return {"FONTCONFIG_FILE": path}


def version_of(program):
    """@return major and minor version of an installed LibreOffice, without starting it; zeros if unknown"""
    try:
        with open(os.path.join(os.path.dirname(os.path.realpath(program)), "bootstraprc"), encoding="utf8") as file:
            found = re.search(r"^ProductKey=\D*(\d+)\.(\d+)", file.read(), re.MULTILINE)
    except OSError:
        return (0, 0)
    return (int(found[1]), int(found[2])) if found else (0, 0)
