import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HTML_PICTURES_BYTES_MAX, PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { bytesOfDataUri, type PictureHeader, pictureHeader, pictureMediaType } from "../../pictures/files/header.ts";
import { checkDrawing } from "../../pictures/svg/check.ts";
import { eachPicture } from "./container.ts";
import type { Source } from "./source.ts";
import type { Writer } from "./writers.ts";

/** A picture of the document, in a file of the step's folder under a name that we chose. */
export interface Picture {
  /** The file name without the folder. */
  readonly name: string;
  readonly path: string;
  readonly kind: PictureHeader["kind"];
}

type Kind = PictureHeader["kind"];

const ALL: readonly Kind[] = ["png", "jpg", "gif", "bmp", "webp", "svg"];

/** Picture types that the programs for the targets can show; other pictures are converted to PNG. */
const KINDS: Partial<Record<Writer["format"], readonly Kind[]>> = {
  docx: ["png", "jpg", "gif"],
  odt: ["png", "jpg", "gif"],
  pptx: ["png", "jpg", "gif"],
  rtf: ["png", "jpg"],
  fb2: ["png", "jpg"],
  ipynb: ["png", "jpg", "gif"],
};

/**
 * Writes the document's pictures to files in the step's folder, after verifying from the bytes that each is a picture.
 *
 * @param targets the references of the document's pictures
 * @returns the pictures by reference; references that are missing are not in the document
 */
export const gatherPictures = async (
  targets: readonly string[],
  { source, writer, folder }: { readonly source: Source; readonly writer: Writer; readonly folder: string },
): Promise<ReadonlyMap<string, Picture>> => {
  const found = new Map<string, Picture>();
  if (writer.pictures === "none") {
    return found;
  }
  let bytesLeft = HTML_PICTURES_BYTES_MAX;
  const keep = async (target: string, bytes: Buffer): Promise<void> => {
    const shown = await shownAs(bytes, KINDS[writer.format] ?? ALL);
    // Base64 turns three bytes into four.
    bytesLeft -= shown === undefined ? 0 : (shown.bytes.length * 4) / 3;
    if (shown !== undefined && bytesLeft >= 0) {
      const name = `picture-${found.size + 1}.${shown.kind}`;
      const path = join(folder, name);
      await writeFile(path, shown.bytes, { flag: "wx" });
      found.set(target, { name, path, kind: shown.kind });
    }
  };
  const distinct = [...new Set(targets)];
  for (const target of distinct) {
    const bytes = /^data:/i.test(target) ? bytesOfData(target) : source.pictures?.get(target);
    if (bytes !== undefined) {
      await keep(target, bytes);
    }
  }
  if (source.container !== undefined) {
    await eachPicture(
      source.container,
      distinct.filter((target) => !found.has(target) && !/^[a-z][a-z\d+.-]+:/i.test(target)),
      keep,
    );
  }
  return found;
};

const bytesOfData = (uri: string): Buffer | undefined =>
  /^data:[^,]{0,100};base64,/i.test(uri) ? bytesOfDataUri(uri) : undefined;

interface Shown {
  readonly bytes: Buffer;
  readonly kind: Kind;
}

/** @returns the picture in a type that the target can show; undefined when its type is not supported */
const shownAs = async (bytes: Buffer, kinds: readonly Kind[]): Promise<Shown | undefined> => {
  const kind = pictureHeader(bytes)?.kind;
  if (kind !== undefined && kinds.includes(kind)) {
    return { bytes, kind };
  }
  return kind === undefined && !isTiff(bytes) ? undefined : asPng(bytes, kind);
};

const isTiff = (bytes: Buffer): boolean => /^(?:II\*\0|MM\0\*)/.test(bytes.toString("latin1", 0, 4));

/** A picture that cannot be read is left out like a missing one. */
const asPng = async (bytes: Buffer, kind: Kind | undefined): Promise<Shown | undefined> => {
  try {
    if (kind === "svg") {
      checkDrawing(bytes);
    }
    const { default: sharp } = await import("sharp");
    return { bytes: await sharp(bytes, { limitInputPixels: PICTURE_PIXELS_MAX }).png().toBuffer(), kind: "png" };
  } catch {
    return undefined;
  }
};

/** @returns the picture as a `data:` URI */
export const dataUriOf = async ({ path, kind }: Picture): Promise<string> =>
  `data:${pictureMediaType(kind)};base64,${(await readFile(path)).toString("base64")}`;
