import type { PdfPage } from "../page/document.ts";
import type { Box, Placing } from "../page/geometry.ts";
import { withMemory } from "../page/module.ts";
import { PATH, type PageObject, SHADING } from "../page/objects.ts";
import { boxOfRule, common, isEmpty, larger, sizeOf } from "./boxes.ts";
import type { FieldBox, Fill, Rule } from "./content.ts";
import { boxesOfFields, drawsField, type Fields } from "./fields.ts";
import { colorOf } from "./glyphs.ts";
import { type PathReader, pathReader, type Subpath } from "./subpaths.ts";

/** What the paths of a page draw. */
export interface Shapes {
  /** Each as it is drawn. */
  readonly rules: readonly Rule[];
  /** In the order in which they are drawn. */
  readonly fills: readonly Fill[];
  /** Parts of drawings: shapes with curves or sloping lines. */
  readonly pieces: readonly Box[];
  /** Areas of color gradients. */
  readonly shadings: readonly Box[];
  /** Outlines of boxes. */
  readonly frames: readonly Box[];
  /** Small shapes as wide as high, which may be marks of a list. */
  readonly dots: readonly Dot[];
  /** The boxes of form fields for text, which are none of the others. */
  readonly fields: readonly FieldBox[];
}

export interface Dot extends Box {
  readonly filled: boolean;
  readonly square: boolean;
}

const RULES_MAX = 5_000;
const FILLS_MAX = 5_000;
const PIECES_MAX = 20_000;
const SHADINGS_MAX = 500;
/** Maximum width of a filled area that is a line, in points. */
const THIN_MAX = 3;
const DOT_MIN = 1.5;
const DOT_MAX = 9;
/** Maximum share of the page covered by a background color. */
const PAGE_SHARE_MAX = 0.75;
/** Minimum share of a box's outline that is straight if only its corners are round. */
const STRAIGHT_MIN = 0.4;

interface ShapeSource {
  readonly objects: readonly PageObject[];
  readonly placing: Placing;
  readonly fields: Fields;
}

/** Reads the paths of a page, without those that draw form fields. */
export const shapesOf = (page: PdfPage, { objects, placing, fields }: ShapeSource): Shapes =>
  withMemory(page.document.pdfium, 16, (scratch) => {
    const reader = pathReader(page, placing, scratch);
    const pageSize = page.width * page.height;
    const found: Found = { rules: [], fills: [], pieces: [], shadings: [], dots: [], frames: [], pageSize };
    for (const object of objects) {
      if (object.type === PATH && found.rules.length < RULES_MAX && found.pieces.length < PIECES_MAX) {
        addPath(found, reader, { object, paint: paintOf(page, object, { scratch, reader }) });
      } else if (object.type === SHADING && found.shadings.length < SHADINGS_MAX) {
        const area = common(reader.visibleOf(object), reader.areaOf(object));
        isEmpty(area) || sizeOf(area) > PAGE_SHARE_MAX * pageSize || found.shadings.push(area);
      }
    }
    const boxed = boxesOfFields(fields, found);
    const isField = drawsField(fields, boxed.keys());
    return { shadings: found.shadings, ...shapesWithout(found, isField), fields: [...boxed.values()] };
  });

type Outlined = Pick<Shapes, "rules" | "fills" | "pieces" | "frames" | "dots">;

/** @returns the shapes without those that draw something else */
export const shapesWithout = (
  { rules, fills, pieces, frames, dots }: Outlined,
  isDrawn: (shape: Box) => boolean,
): Outlined => {
  const isOther = (shape: Box): boolean => !isDrawn(shape);
  return {
    rules: rules.filter((rule) => isOther(boxOfRule(rule))),
    fills: fills.filter(isOther),
    pieces: pieces.filter(isOther),
    frames: frames.filter(isOther),
    dots: dots.filter(isOther),
  };
};

interface Found {
  readonly rules: Rule[];
  readonly fills: Fill[];
  readonly pieces: Box[];
  readonly shadings: Box[];
  readonly dots: Dot[];
  readonly frames: Box[];
  readonly pageSize: number;
}

/** How a path is drawn: the colors, and the width of its line. */
interface Paint {
  readonly fill?: string | undefined;
  readonly stroke?: string | undefined;
  readonly width: number;
}

const paintOf = (
  { document: { pdfium } }: PdfPage,
  object: PageObject,
  { scratch, reader }: { scratch: number; reader: PathReader },
): Paint => {
  const { call, view } = pdfium;
  call.FPDFPath_GetDrawMode(object.handle, scratch, scratch + 4);
  const [filled, stroked] = [view().getInt32(scratch, true) !== 0, view().getInt32(scratch + 4, true) !== 0];
  const fill = filled ? colorOf(pdfium, object.handle, { stroke: false, scratch }) : undefined;
  const stroke = stroked ? colorOf(pdfium, object.handle, { stroke: true, scratch }) : undefined;
  const known = stroke !== undefined && call.FPDFPageObj_GetStrokeWidth(object.handle, scratch) === 1;
  return { fill, stroke, width: known ? view().getFloat32(scratch, true) * reader.scaleOf(object) : 0 };
};

const addPath = (found: Found, reader: PathReader, { object, paint }: { object: PageObject; paint: Paint }): void => {
  if (paint.fill === undefined && paint.stroke === undefined) {
    return;
  }
  const visible = reader.visibleOf(object);
  const parts = isEmpty(visible) ? [] : reader.subpathsOf(object);
  if (parts === undefined) {
    found.pieces.push(common(visible, reader.areaOf(object)));
    return;
  }
  const [outer, inner] = parts;
  if (
    paint.fill !== undefined &&
    parts.length === 2 &&
    outer !== undefined &&
    inner !== undefined &&
    isFrame(outer, inner)
  ) {
    found.rules.push(...frameRules(outer.area, inner.area, paint.fill).flatMap((rule) => clipped(rule, visible)));
    return;
  }
  for (const part of parts) {
    addPart(found, { part, paint, visible });
  }
};

interface Part {
  readonly part: Subpath;
  readonly paint: Paint;
  readonly visible: Box;
}

const addPart = (found: Found, { part, paint, visible }: Part): void => {
  const area = common(part.area, visible);
  if (isEmpty(area)) {
    return;
  }
  const dot = dotOf(part, paint);
  if (dot !== undefined) {
    found.dots.push(dot);
    return;
  }
  if (part.curved && !isRounded(part)) {
    found.pieces.push(area);
    return;
  }
  if (paint.fill !== undefined) {
    part.share < FILLED_MIN ? addEdges(found, { part, visible }, paint.fill) : addFill(found, area, paint.fill);
  }
  const color = paint.stroke;
  if (color !== undefined) {
    const lines = part.curved ? edgesOf(part.area) : part.straight;
    isBox(part) && found.frames.push(area);
    found.rules.push(...lines.flatMap((line) => clipped(ruleOf(line, { color, width: paint.width }), visible)));
  }
};

/** Share of its area that a shape must cover to be the background of what is in it. */
const FILLED_MIN = 0.5;

/** Points between the edge of an area and a line on it. */
const EDGE_MAX = 0.1;

const isWithin = (outer: Box, { left, top, right, bottom }: Box): boolean =>
  left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom;

/** Adds the sides of an angle, such as the half of a frame, which are on the edges of its area. */
const addEdges = (found: Found, { part, visible }: Omit<Part, "paint">, color: string): void => {
  const edges = edgesOf(part.area).map((edge) => larger(edge, EDGE_MAX));
  const lines = part.straight.filter((line) => edges.some((edge) => isWithin(edge, line)));
  const length = lines.reduce((sum, { left, top, right, bottom }) => sum + right - left + bottom - top, 0);
  const width = (part.share * sizeOf(part.area)) / Math.max(1, length);
  if (width <= THIN_MAX) {
    found.rules.push(...lines.flatMap((line) => clipped(ruleOf(line, { color, width }), visible)));
  }
};

/** Fills that are compared with a white one over them. */
const UNDER_MAX = 200;
/** Stripes of tables may be nearly white. */
const WHITE = /^(?:f[c-f]){3}$/;

const addFill = (found: Found, area: Box, color: string): void => {
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  if (Math.min(width, height) <= THIN_MAX) {
    WHITE.test(color) || found.rules.push(ruleOf(area, { color, width: Math.min(width, height) }));
    return;
  }
  const hidden =
    WHITE.test(color) && !found.fills.slice(-UNDER_MAX).some((fill) => sizeOf(common(fill, area)) > 0.5 * sizeOf(area));
  if (!hidden && width * height < PAGE_SHARE_MAX * found.pageSize && found.fills.length < FILLS_MAX) {
    found.fills.push({ ...area, color });
  }
};

const ruleOf = ({ left, top, right, bottom }: Box, { color, width }: Pick<Rule, "color" | "width">): Rule => {
  const across = right - left >= bottom - top;
  return across
    ? { across, at: (top + bottom) / 2, from: left, to: right, width, color }
    : { across, at: (left + right) / 2, from: top, to: bottom, width, color };
};

const clipped = (rule: Rule, { left, top, right, bottom }: Box): Rule[] => {
  const [low, high, first, last] = rule.across ? [left, right, top, bottom] : [top, bottom, left, right];
  const [from, to] = [Math.max(rule.from, low), Math.min(rule.to, high)];
  const seen = rule.at > first - rule.width && rule.at < last + rule.width;
  return seen && to > from ? [{ ...rule, from, to }] : [];
};

const edgesOf = ({ left, top, right, bottom }: Box): Box[] => [
  { left, right, top, bottom: top },
  { left, right, top: bottom, bottom },
  { left, right: left, top, bottom },
  { left: right, right, top, bottom },
];

/** @returns whether two parts of a filled path are the outer and inner edge of a border */
const isFrame = (outer: Subpath, inner: Subpath): boolean => {
  const thick = [
    inner.area.left - outer.area.left,
    inner.area.top - outer.area.top,
    outer.area.right - inner.area.right,
    outer.area.bottom - inner.area.bottom,
  ];
  const boxes = [outer, inner].every((part) => !part.curved || isRounded(part));
  return boxes && thick.every((side) => side >= -0.1 && side <= THIN_MAX);
};

const frameRules = (outer: Box, inner: Box, color: string): Rule[] =>
  [
    { ...outer, bottom: inner.top },
    { ...outer, top: inner.bottom },
    { ...outer, right: inner.left },
    { ...outer, left: inner.right },
  ]
    .map((side) => ruleOf(side, { color, width: Math.min(side.right - side.left, side.bottom - side.top) }))
    .filter(({ width }) => width > 0.05);

/** @returns whether only the corners of a shape are not straight */
const isRounded = ({ area, straight }: Subpath): boolean => {
  const { left, top, right, bottom } = area;
  const length = straight.reduce((sum, line) => sum + line.right - line.left + line.bottom - line.top, 0);
  const onEdge = straight.every(
    (line) =>
      Math.min(
        Math.abs(line.left - left),
        Math.abs(line.right - right),
        Math.abs(line.top - top),
        Math.abs(line.bottom - bottom),
      ) < 1,
  );
  return onEdge && straight.length <= 8 && length >= STRAIGHT_MIN * 2 * (right - left + bottom - top);
};

const isBox = (part: Subpath): boolean => (part.curved || part.straight.length >= 4) && isRounded(part);

const dotOf = ({ area, curved, straight }: Subpath, { fill, stroke }: Paint): Dot | undefined => {
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  const small = Math.min(width, height) >= DOT_MIN && Math.max(width, height) <= DOT_MAX;
  const even = Math.abs(width - height) <= 0.2 * Math.max(width, height);
  const square = !curved && straight.length >= 4;
  return small &&
    even &&
    (square || straight.length === 0) &&
    (fill ?? stroke) !== undefined &&
    !WHITE.test(fill ?? "0")
    ? { ...area, filled: fill !== undefined, square }
    : undefined;
};
