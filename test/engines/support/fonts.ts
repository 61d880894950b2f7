import { execFileSync } from "node:child_process";
import { PYTHON, withPython } from "./tools.ts";

/** A font as read by fontTools. */
export interface FontView {
  /** The kind of outlines, as declared by the file. */
  readonly flavour: string;
  /** A hash of each table's bytes, and of its content if a wrapper may encode it differently. */
  readonly tables: Readonly<Record<string, string>>;
  readonly glyphs: readonly string[];
  /** Whether the checksums of all tables and of the complete file are right. */
  readonly sound: boolean;
}

const SCRIPT = `
import hashlib, io, json, struct, sys
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import calcChecksum
path = sys.argv[1]
font = TTFont(path, lazy=True, checkChecksums=0)
tables = {}
for tag in font.reader.keys():
    data = font.reader[tag]
    if tag == "head":
        data = data[:8] + bytes(4) + data[12:16] + bytes(2) + data[18:]
    if tag in ("glyf", "loca"):
        continue
    tables[tag] = hashlib.sha256(data).hexdigest()
glyphs = font.getGlyphSet()
for name in font.getGlyphOrder():
    pen = RecordingPen()
    glyphs[name].draw(pen)
    tables["outline " + name] = str(pen.value) + str(glyphs[name].width)
sound = True
if font.reader.flavor is None:
    data = open(path, "rb").read()
    sound = calcChecksum(data) == 0xB1B0AFBA
print(json.dumps({"flavour": font.sfntVersion, "tables": tables, "glyphs": font.getGlyphOrder(), "sound": sound}))
`;

/** @returns the font as fontTools reads it, also from a wrapper */
export const viewByFontTools = (path: string): FontView =>
  JSON.parse(execFileSync(PYTHON, ["-c", SCRIPT, path], { encoding: "utf8" }));

/** @returns whether fontTools is installed with WOFF2 support */
export const withFontTools = (): boolean => withPython("brotli", "fontTools");
