import type { PdfPage } from "../page/document.ts";
import { type Pdfium, withMemory } from "../page/module.ts";
import type { Tag } from "./content.ts";
import type { Glyph } from "./glyphs.ts";

/** Tags of a page by the number of the marked content (`MCID`). */
export type PageTags = ReadonlyMap<number, Tag>;

const ELEMENTS_MAX = 20_000;
const DEPTH_MAX = 60;
const TYPE_BYTES = 64;
/** Minimum share of the glyphs of a page that a structure tree must tag to be used. */
const TAGGED_MIN = 0.9;

/** Roles by the standard structure types (ISO 32000-2, 14.8.4); other types take the role of what they are in. */
const ROLES: Readonly<Record<string, Pick<Tag, "role" | "level">>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`H${level}`, { role: "heading", level }])),
  H: { role: "heading", level: 1 },
  Title: { role: "heading", level: 1 },
  P: { role: "paragraph" },
  Lbl: { role: "list-mark" },
  LI: { role: "list-item" },
  LBody: { role: "list-item" },
  TD: { role: "cell" },
  TH: { role: "header-cell" },
  Caption: { role: "caption" },
  Note: { role: "note" },
  FENote: { role: "note" },
  Artifact: { role: "artifact" },
};
/** Roles that a paragraph within does not change. */
const STRONG: ReadonlySet<string> = new Set([
  "heading",
  "list-item",
  "list-mark",
  "cell",
  "header-cell",
  "caption",
  "note",
]);

/** @returns the tags of a page's marked content, from the structure tree; empty without one */
export const tagsOf = ({ document: { pdfium, open }, handle }: PdfPage): PageTags => {
  const { call } = pdfium;
  const tags = new Map<number, Tag>();
  const tree = call.FPDFCatalog_IsTagged(open.handle) === 1 ? call.FPDF_StructTree_GetForPage(handle) : 0;
  if (tree === 0) {
    return tags;
  }
  try {
    withMemory(pdfium, TYPE_BYTES, (scratch) => {
      const reading = { pdfium, scratch, tags, elements: 0 };
      const count = call.FPDF_StructTree_CountChildren(tree);
      for (let index = 0; index < count && reading.elements < ELEMENTS_MAX; index += 1) {
        visit(reading, call.FPDF_StructTree_GetChildAtIndex(tree, index), { depth: 0 });
      }
    });
  } finally {
    call.FPDF_StructTree_Close(tree);
  }
  return tags;
};

interface Reading {
  readonly pdfium: Pdfium;
  readonly scratch: number;
  readonly tags: Map<number, Tag>;
  elements: number;
}

const visit = (reading: Reading, element: number, { tag, depth }: { tag?: Tag | undefined; depth: number }): void => {
  const { call } = reading.pdfium;
  if (element === 0 || depth > DEPTH_MAX || reading.elements >= ELEMENTS_MAX) {
    return;
  }
  reading.elements += 1;
  const own = ROLES[typeOf(reading, element)];
  const inner =
    own === undefined || (own.role === "paragraph" && tag !== undefined && STRONG.has(tag.role))
      ? tag
      : { ...own, element: reading.elements };
  const count = call.FPDF_StructElement_CountChildren(element);
  for (let index = 0; index < count && reading.elements < ELEMENTS_MAX; index += 1) {
    const content = call.FPDF_StructElement_GetChildMarkedContentID(element, index);
    if (content >= 0 && inner !== undefined) {
      reading.tags.set(content, inner);
    }
    visit(reading, call.FPDF_StructElement_GetChildAtIndex(element, index), { tag: inner, depth: depth + 1 });
  }
};

const typeOf = ({ pdfium, scratch }: Reading, element: number): string => {
  const length = pdfium.call.FPDF_StructElement_GetType(element, scratch, TYPE_BYTES);
  const end = scratch + Math.max(0, Math.min(length, TYPE_BYTES) - 2);
  return Buffer.from(pdfium.bytes().subarray(scratch, end)).toString("utf16le");
};

const ARTIFACT: Tag = { role: "artifact", element: 0 };

/** @returns a function from a glyph to its tag; all glyphs have none if the tree leaves out more than a tenth of them */
export const tagging = (glyphs: readonly Glyph[], tags: PageTags): ((glyph: Glyph) => Tag | undefined) => {
  const tagOf = ({ style }: Glyph): Tag | undefined =>
    tags.get(style.content) ?? (style.artifact ? ARTIFACT : undefined);
  const letters = glyphs.filter(({ text }) => text !== " ");
  const tagged = letters.filter((glyph) => tagOf(glyph) !== undefined);
  return tags.size > 0 && tagged.length >= TAGGED_MIN * letters.length ? tagOf : () => undefined;
};
