import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OUTPUT_BYTES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../../domain/errors.ts";
import type { ZipMember } from "../../../archives/zip/writer.ts";
import type { FieldBox } from "../content/content.ts";
import type { Separator } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import type { PictureFile } from "../page/pictures.ts";
import { escapeXml } from "../write/xml.ts";
import { emu, w } from "./elements.ts";

/** The pictures of a document, in files until the package is written. */
export interface Media {
  readonly members: ZipMember[];
  /** @returns the target of a relationship to the picture; equal pictures are stored once */
  add(file: PictureFile): Promise<string>;
}

/** @param folder where the files are written */
export const mediaIn = (folder: string): Media => {
  const members: ZipMember[] = [];
  const known = new Map<string, string>();
  let total = 0;
  const add: Media["add"] = async ({ bytes, mediaType }) => {
    const hash = createHash("sha256").update(bytes).digest("base64");
    const name = known.get(hash) ?? `picture${known.size + 1}.${mediaType === "image/png" ? "png" : "jpg"}`;
    if (!known.has(hash)) {
      total += bytes.length;
      if (total > OUTPUT_BYTES_MAX) {
        throw new JobError("output_too_large", `The pictures exceed ${OUTPUT_BYTES_MAX} bytes.`);
      }
      known.set(hash, name);
      await writeFile(join(folder, name), bytes, { flag: "wx" });
      members.push({ path: `word/media/${name}`, file: join(folder, name) });
    }
    return `media/${name}`;
  };
  return { members, add };
};

interface Drawn {
  /** Unique in the document. */
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly alt?: string | undefined;
}

interface DrawnPicture extends Drawn {
  /** Id of the relationship to the picture. */
  readonly relation: string;
}

const sizeOf = ({ width, height }: Drawn) => ({ cx: Math.max(1, emu(width)), cy: Math.max(1, emu(height)) });

const extent = (drawn: Drawn): string => `<wp:extent cx="${sizeOf(drawn).cx}" cy="${sizeOf(drawn).cy}"/>`;

const named = ({ id, alt = "" }: Drawn): string =>
  `<wp:docPr id="${id}" name="Object ${id}"${alt === "" ? "" : ` descr="${escapeXml(alt)}"`}/><wp:cNvGraphicFramePr/>`;

const pictureGraphic = (picture: DrawnPicture): string => {
  const { cx, cy } = sizeOf(picture);
  return (
    `<a:graphic><a:graphicData uri="${PICTURE}"><pic:pic><pic:nvPicPr><pic:cNvPr id="${picture.id}" name="Object ${picture.id}"/>` +
    `<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${picture.relation}"/><a:stretch><a:fillRect/></a:stretch>` +
    `</pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>` +
    "</a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>"
  );
};

/** @returns a run with the picture as a letter of the line */
export const inlinePicture = (picture: DrawnPicture): string =>
  w(
    "r",
    {},
    w(
      "drawing",
      {},
      `<wp:inline distT="0" distB="0" distL="0" distR="0">${extent(picture)}${named(picture)}${pictureGraphic(picture)}</wp:inline>`,
    ),
  );

/** A position: from the upper left corner of the page, or from the page's left and the top of the paragraph. */
interface Place extends Box {
  readonly from?: "page" | "paragraph";
}

/** @returns a drawing at a position, without effect on the text around it */
const anchored = (drawn: Drawn, { left, top, from = "page" }: Place, graphic: string, isUnder: boolean): string =>
  w(
    "drawing",
    {},
    `<wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="${drawn.id}" behindDoc="${isUnder ? 1 : 0}" ` +
      'locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>' +
      `<wp:positionH relativeFrom="page"><wp:posOffset>${emu(left)}</wp:posOffset></wp:positionH>` +
      `<wp:positionV relativeFrom="${from}"><wp:posOffset>${emu(top)}</wp:posOffset></wp:positionV>` +
      `${extent(drawn)}<wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/>${named(drawn)}${graphic}</wp:anchor>`,
  );

/** @returns a run with the picture at its position on the page, under or over the text */
export const anchoredPicture = (picture: DrawnPicture, place: Box, isUnder: boolean): string =>
  w("r", {}, anchored(picture, place, pictureGraphic(picture), isUnder));

const DIRECTIONS = { 0: "horz", 1: "vert", 2: "horz", 3: "vert270" } as const;

/** @returns a run with a text box at its position on the page; `quarters` turns its text clockwise */
export const textBox = (drawn: Drawn, place: Box, content: string, quarters: 0 | 1 | 2 | 3 = 0): string => {
  const text =
    `<wps:txbx>${w("txbxContent", {}, content)}</wps:txbx><wps:bodyPr vert="${DIRECTIONS[quarters]}" wrap="square" ` +
    'lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"><a:noAutofit/></wps:bodyPr>';
  const look = "<a:noFill/><a:ln><a:noFill/></a:ln>";
  return shape(drawn, place, { kind: ' txBox="1"', turn: quarters === 2 ? ' rot="10800000"' : "", look, text }, false);
};

const solid = (color: string): string => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;

/** @returns a run with a rectangle at its position, under the text */
export const rectangle = (drawn: Drawn, { border, fill, ...place }: FieldBox & Place): string => {
  const painted = (color: string | undefined) => (color === undefined ? "<a:noFill/>" : solid(color));
  const look = `${painted(fill)}<a:ln w="${emu(border?.width ?? 0)}">${painted(border?.color)}</a:ln>`;
  return shape(drawn, place, { kind: "", turn: "", look, text: "<wps:bodyPr/>" }, true);
};

interface SeparatorTask {
  /** @returns a number that no other drawing of the document has */
  readonly nextId: () => number;
  /** Top of the paragraph, with the white space above it, that they move with. @default they stand on the page */
  readonly top?: number;
  /** Whether nothing is above the paragraph that a line could cross. @default false */
  readonly isFirst?: boolean | undefined;
}

/** @returns runs with lines and areas, under the text */
export const separatorsXml = (
  separators: readonly Separator[] | undefined,
  { nextId, top, isFirst = false }: SeparatorTask,
): string =>
  (separators ?? [])
    .map(({ color: fill, ...box }) => {
      const drawn = { id: nextId(), width: box.right - box.left, height: box.bottom - box.top };
      const place = top === undefined ? box : { ...box, top: Math.max(isFirst ? -top : 0, box.top - top) };
      return rectangle(drawn, { ...place, fill, from: top === undefined ? "page" : "paragraph" });
    })
    .join("");

const shape = (
  drawn: Drawn,
  place: Place,
  { kind, turn, look, text }: Readonly<Record<"kind" | "turn" | "look" | "text", string>>,
  isUnder: boolean,
): string => {
  const { cx, cy } = sizeOf(drawn);
  const graphic =
    `<a:graphic><a:graphicData uri="${SHAPE}"><wps:wsp><wps:cNvSpPr${kind}/><wps:spPr><a:xfrm${turn}><a:off x="0" y="0"/>` +
    `<a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>${look}</wps:spPr>` +
    `${text}</wps:wsp></a:graphicData></a:graphic>`;
  const choice = `<mc:Choice Requires="wps">${anchored(drawn, place, graphic, isUnder)}</mc:Choice>`;
  return w("r", {}, `<mc:AlternateContent>${choice}</mc:AlternateContent>`);
};

const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const PICTURE = `${DRAWING}/picture`;
const SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";

/** The namespaces of every part with text. */
export const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  `xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:a="${DRAWING}/main" xmlns:pic="${PICTURE}" ` +
  `xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="${SHAPE}"`;
