import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";

/** Something that PDF/A does not allow, with an example of it. */
export type Obstacle = readonly [what: string, example: string];

const name = (text: string): PDFName => PDFName.of(text);

/** Keys of dictionaries that PDF/A does not allow, by the entry that says what the dictionary is (ISO 19005-2, 6). */
const FORBIDDEN_KEYS: Readonly<Record<string, readonly string[]>> = {
  "/Catalog": ["AA", "NeedsRendering", "Requirements"],
  "/Page": ["AA", "PresSteps"],
  "/Image": ["Alternates", "OPI"],
  "/Form": ["OPI", "Ref", "PS"],
  "/ExtGState": ["TR", "HTP"],
};
const OPEN_ACTIONS = ["NextPage", "PrevPage", "FirstPage", "LastPage"];

/** @returns what an object has that PDF/A forbids by its name alone */
export const forbiddenIn = (dict: PDFDict): Obstacle[] => {
  const [type, subtype] = [dict.lookup(name("Type")), dict.lookup(name("Subtype"))].map(String);
  const keys = [...(FORBIDDEN_KEYS[type ?? ""] ?? []), ...(FORBIDDEN_KEYS[subtype ?? ""] ?? [])];
  const found: Obstacle[] = keys
    .filter((key) => dict.has(name(key)))
    .map((key) => (key === "AA" ? ["actions", "on opening, printing or closing"] : ["objects", key]));
  if (subtype === "/PS") {
    found.push(["objects", "PostScript"]);
  }
  if (dict.lookup(name("S")) === name("Named") && !OPEN_ACTIONS.includes(String(dict.lookup(name("N"))).slice(1))) {
    found.push(["actions", String(dict.lookup(name("N"))).slice(1)]);
  }
  if (subtype === "/Widget" && dict.has(name("AA"))) {
    found.push(["actions", "of form fields"]);
  }
  return found;
};

/** @returns obstacles in the list of names and in the layers of a document */
export const forbiddenInCatalog = ({ catalog }: PDFDocument): Obstacle[] => {
  const names = catalog.lookup(name("Names"));
  const has = (key: string): boolean => names instanceof PDFDict && names.has(name(key));
  return [
    ...(has("JavaScript") ? [["actions", "JavaScript"] as const] : []),
    ...(has("AlternatePresentations") ? [["objects", "AlternatePresentations"] as const] : []),
  ];
};

/** Points: the limits of the size of a page (ISO 19005-2, 6.1.13). */
const [SIDE_MIN, SIDE_MAX] = [3, 14_400];

/** @returns pages that are too small or too large */
export const sizesOf = (document: PDFDocument): Obstacle[] =>
  document.getPages().flatMap((page): Obstacle[] => {
    const { width, height } = page.getMediaBox();
    const isAllowed = [width, height].every((side) => side >= SIDE_MIN && side <= SIDE_MAX);
    return isAllowed ? [] : [["sizes of pages", `${Math.round(width)} × ${Math.round(height)} points`]];
  });

const DEPTH_MAX = 6;

/**
 * @returns whether a direct part of an object, such as a color space or the group of a page, has CMYK without a profile. The
 * alternative of a profile is not used
 */
export const hasDeviceCmyk = (object: PDFObject | undefined, depth = 0): boolean => {
  if (object === name("DeviceCMYK")) {
    return true;
  }
  if (depth > DEPTH_MAX) {
    return false;
  }
  if (object instanceof PDFArray) {
    return object.asArray().some((item) => hasDeviceCmyk(item, depth + 1));
  }
  return (
    object instanceof PDFDict &&
    !(object.lookup(name("N")) instanceof PDFNumber) &&
    object.values().some((value) => hasDeviceCmyk(value, depth + 1))
  );
};
