import type { PdfPage } from "../page/document.ts";
import type { Box, Placing } from "../page/geometry.ts";
import { withMemory } from "../page/module.ts";
import { IMAGE, PATH, type PageObject, TEXT } from "../page/objects.ts";
import { common, contains, isEmpty, sizeOf, touches } from "./boxes.ts";
import { ALPHA_MIN } from "./glyphs.ts";
import { type PathReader, pathReader } from "./subpaths.ts";

/** @returns the text objects of a page that a viewer does not show */
export const hiddenTexts = (page: PdfPage, objects: readonly PageObject[], placing: Placing): ReadonlySet<PageObject> =>
  withMemory(page.document.pdfium, 16, (scratch) => {
    const reading = { page, reader: pathReader(page, placing, scratch), scratch };
    return new Set([
      ...coveredTexts(reading, objects),
      ...undrawnTexts(reading, objects),
      ...clippedTexts(reading, objects),
    ]);
  });

interface Reading {
  readonly page: PdfPage;
  readonly reader: PathReader;
  readonly scratch: number;
}

/** Rectangles over text that are compared, the last ones first, and their minimum area in square points. */
const COVERS_MAX = 100;
const COVER_MIN = 100;

/** @returns the texts under a rectangle that is drawn later */
const coveredTexts = (reading: Reading, objects: readonly PageObject[]): PageObject[] => {
  const covers: Box[] = [];
  return objects.toReversed().filter((object) => {
    if (object.type === PATH && covers.length < COVERS_MAX) {
      covers.push(...coverOf(reading, object));
    }
    const area = object.type === TEXT && covers.length > 0 ? reading.reader.areaOf(object) : undefined;
    return area !== undefined && covers.some((cover) => contains(cover, area));
  });
};

/** @returns the visible area of an opaque rectangle that belongs to no form, whose blending is unknown */
const coverOf = ({ page, reader, scratch }: Reading, object: PageObject): Box[] => {
  const { call, view } = page.document.pdfium;
  if (object.path.length > 1 || sizeOf(reader.areaOf(object)) < COVER_MIN) {
    return [];
  }
  call.FPDFPath_GetDrawMode(object.handle, scratch, scratch + 4);
  const isFilled = view().getInt32(scratch, true) !== 0;
  if (!isFilled || call.FPDFPageObj_HasTransparency(object.handle) === 1) {
    return [];
  }
  const [part, ...others] = reader.subpathsOf(object) ?? [];
  return part === undefined || others.length > 0 || part.curved || part.straight.length > SIDES_MAX
    ? []
    : [common(part.area, reader.visibleOf(object))];
};

/** Lines of a rectangle; some programs draw the first one twice. */
const SIDES_MAX = 5;

/** Distance in points: the boxes of letters from broken fonts are that far off. */
const CLIP_SLACK = 2;

/** @returns the texts above or below their clip. The end of a line that is cut stays: a reader misses it */
const clippedTexts = ({ reader }: Reading, objects: readonly PageObject[]): PageObject[] =>
  objects.filter((object) => {
    const visible = object.type === TEXT ? reader.clipOf(object) : undefined;
    if (visible === undefined) {
      return false;
    }
    const area = reader.areaOf(object);
    return !touches({ ...area, top: visible.top, bottom: visible.bottom }, area, CLIP_SLACK);
  });

/** Text rendering modes (ISO 32000-2, table 104). */
const FILLED = 0;
const INVISIBLE = 3;

/** @returns the texts that are not drawn, unless they stand on a picture, whose text they are, or are most of the page's */
const undrawnTexts = ({ page, reader, scratch }: Reading, objects: readonly PageObject[]): PageObject[] => {
  const { call, view } = page.document.pdfium;
  const texts = objects.filter(({ type }) => type === TEXT);
  const undrawn = texts.filter(({ handle }) => {
    const mode = call.FPDFTextObj_GetTextRenderMode(handle);
    const isColored =
      mode === FILLED && call.FPDFPageObj_GetFillColor(handle, scratch, scratch + 4, scratch + 8, scratch + 12) === 1;
    return mode === INVISIBLE || (isColored && view().getUint32(scratch + 12, true) < ALPHA_MIN);
  });
  if (undrawn.length === 0 || undrawn.length * 2 > texts.length) {
    return [];
  }
  const pictures = objects.filter(({ type }) => type === IMAGE).map(reader.areaOf);
  return undrawn.filter((object) => {
    const area = reader.areaOf(object);
    return pictures.every((picture) => isEmpty(common(picture, area)));
  });
};
