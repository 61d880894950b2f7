import { PDFDict, type PDFDocument, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { forbiddenIn, forbiddenInCatalog, hasDeviceCmyk, type Obstacle, sizesOf } from "./pdf-a-objects.ts";
import { streamText } from "./stream-text.ts";

const name = (text: string): PDFName => PDFName.of(text);
const nameAt = (dict: PDFDict, key: string): string => String(dict.lookup(name(key)));

/** Writes the identification and the output intent of PDF/A, if nothing in the document stands in the way. */
export const makePdfA = async (document: PDFDocument, { options }: EngineTask): Promise<void> => {
  const level = options.pdf_a === "3b" ? "3b" : "2b";
  checkPdfA(document, level);
  document.convertToPDFA({ conformance: level === "3b" ? "3B" : "2B" });
};

/**
 * Changes what PDF/A requires and no viewer shows, such as the flags of links.
 *
 * @throws JobError `unsupported_feature` that names what PDF/A does not allow (ISO 19005-2, 6; ISO 19005-3, 6)
 */
export const checkPdfA = (document: PDFDocument, level: "2b" | "3b"): void => {
  const obstacles: Obstacle[] = [...forbiddenInCatalog(document), ...sizesOf(document)];
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (dict instanceof PDFDict) {
      prepare(dict);
      obstacles.push(...obstaclesIn(dict, level), ...forbiddenIn(dict));
      obstacles.push(...(object instanceof PDFRawStream ? colorsIn(object) : []));
    }
    obstacles.push(...(hasDeviceCmyk(dict) ? [CMYK] : []));
  }
  const found = new Map<string, Set<string>>();
  for (const [what, example] of obstacles) {
    found.set(what, (found.get(what) ?? new Set()).add(example));
  }
  if (found.size > 0) {
    const list = [...found].map(([what, examples]) => `${what} (${[...examples].slice(0, EXAMPLES_MAX).join(", ")})`);
    throw new JobError("unsupported_feature", `The PDF cannot become PDF/A-${level}: ${list.join("; ")}.`, {
      isFinal: true,
    });
  }
};

const EXAMPLES_MAX = 5;

/** Flags of annotations (ISO 32000-2, 12.5.3). */
const INVISIBLE_OR_HIDDEN = 1 | 2 | 32;
const PRINT = 4;

const isAnnotation = (dict: PDFDict): boolean => dict.has(name("Rect")) && dict.has(name("Subtype"));

const prepare = (dict: PDFDict): void => {
  if (isAnnotation(dict) && nameAt(dict, "Subtype") !== "/Popup" && (flagsOf(dict) & INVISIBLE_OR_HIDDEN) === 0) {
    dict.set(name("F"), PDFNumber.of(flagsOf(dict) | PRINT));
  }
  if (nameAt(dict, "Subtype") === "/Image") {
    dict.delete(name("Interpolate"));
  }
  dict.delete(name("NeedAppearances"));
};

const flagsOf = (dict: PDFDict): number => {
  const flags = dict.lookup(name("F"));
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
};

const ACTIONS = new Set(
  [
    "Launch",
    "Sound",
    "Movie",
    "ResetForm",
    "ImportData",
    "Hide",
    "SetOCGState",
    "Rendition",
    "Trans",
    "JavaScript",
  ].map((kind) => `/${kind}`),
);
const ANNOTATIONS = new Set(["3D", "Sound", "Screen", "Movie", "RichMedia"].map((kind) => `/${kind}`));
const WITHOUT_APPEARANCE = new Set(["/Link", "/Popup"]);

const obstaclesIn = (dict: PDFDict, level: "2b" | "3b"): Obstacle[] => {
  const [type, subtype, action] = [nameAt(dict, "Type"), nameAt(dict, "Subtype"), nameAt(dict, "S")];
  const found: Obstacle[] = [];
  if (type === "/Font" && isNotEmbedded(dict)) {
    found.push(["fonts that are not embedded", nameAt(dict, "BaseFont").slice(1)]);
  }
  if (ACTIONS.has(action) && (type === "/Action" || type === "undefined")) {
    found.push(["actions", action.slice(1)]);
  }
  if (isAnnotation(dict)) {
    const isDrawn = dict.has(name("AP")) || WITHOUT_APPEARANCE.has(subtype);
    found.push(...(isDrawn ? [] : ([["annotations without an appearance", subtype.slice(1)]] as const)));
    found.push(...(ANNOTATIONS.has(subtype) ? ([["media", subtype.slice(1)]] as const) : []));
    const isHidden = subtype !== "/Popup" && (flagsOf(dict) & INVISIBLE_OR_HIDDEN) !== 0;
    found.push(...(isHidden ? ([["hidden annotations", subtype.slice(1)]] as const) : []));
  }
  if (type === "/Filespec" && dict.has(name("EF")) && level === "2b") {
    found.push(["attachments", "which PDF/A-3b allows"]);
  }
  if (dict.has(name("XFA"))) {
    found.push(["forms", "XFA"]);
  }
  return found;
};

/** A composite font is embedded by the font below it; glyphs of Type 3 are drawings in the file. */
const isNotEmbedded = (font: PDFDict): boolean => {
  if (["/Type0", "/Type3"].includes(nameAt(font, "Subtype"))) {
    return false;
  }
  const descriptor = font.lookup(name("FontDescriptor"));
  return !(descriptor instanceof PDFDict && FONT_FILES.some((file) => descriptor.has(name(file))));
};

const FONT_FILES = ["FontFile", "FontFile2", "FontFile3"];

const CMYK: Obstacle = ["colors without a profile", "DeviceCMYK"];
/** Operators with four numbers that set a CMYK color (ISO 32000-2, 8.6.8). */
const SETS_CMYK = /(?:^|\s)(?:-?[\d.]+\s+){4}[kK](?=\s|$)/;
/** Characters of a content stream that are searched. */
const CONTENT_CHARACTERS_MAX = 20_000_000;

/** The output intent is RGB, so CMYK is only allowed with a profile. Content of pages has no type. */
const colorsIn = (stream: PDFRawStream): Obstacle[] => {
  const { dict } = stream;
  const subtype = nameAt(dict, "Subtype");
  const isContent = subtype === "/Form" || (!dict.has(name("Type")) && subtype === "undefined" && !isData(dict));
  return isContent && SETS_CMYK.test(streamText(stream).slice(0, CONTENT_CHARACTERS_MAX)) ? [CMYK] : [];
};

/** Streams without a type that are not content: fonts, profiles, functions and character maps. */
const isData = (dict: PDFDict): boolean =>
  ["Length1", "Length2", "N", "FunctionType", "CMapName"].some((key) => dict.has(name(key)));
