import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  BITMAP_FONT_BYTES_MAX,
  FONT_BYTES_MAX,
  FONT_COLLECTION_BYTES_MAX,
  WOFF2_FONT_BYTES_MAX,
} from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineTask, type Part, rowFor } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { readBdf } from "./bitmaps/bdf.ts";
import { toTrueType } from "./bitmaps/truetype.ts";
import { readCollection } from "./fonts/collection.ts";
import { fromEot, toEot } from "./fonts/eot.ts";
import { faceName } from "./fonts/name.ts";
import { addedUp, isPostScript, readSfnt, type Sfnt, writeSfnt } from "./fonts/sfnt.ts";
import { fromWoff, toWoff } from "./fonts/woff.ts";
import { fromWoff2, toWoff2 } from "./fonts/woff2.ts";

/**
 * Converts fonts between container formats. Tables are copied unchanged: outlines are never converted from one kind to
 * the other, since no library does that and keeps hints, features and spacing. Fonts of bitmaps become TrueType outlines
 * of their pixels.
 */
export const fontsEngine: Engine = {
  name: "fonts",
  version: async () => process.version,
  convert: async (task) => {
    const { faces, warnings } = await read(task);
    const [only] = faces;
    if (only === undefined) {
      throw new JobError("source_corrupt", "The font collection has no fonts.");
    }
    if (faces.length === 1) {
      await writeFile(task.output, await wrapped(only, task.to), { flag: "wx" });
    }
    const lost = task.to === "woff2" && faces.some(({ tables }) => tables.some(({ tag }) => tag === "DSIG"));
    return {
      warnings: [...warnings, ...(lost ? [SIGNATURE_DROPPED] : [])],
      ...(faces.length > 1 && { parts: await writeParts(faces, task) }),
    };
  },
};

const SIGNATURE_DROPPED: Warning = {
  code: "signature_dropped",
  detail: "The font's digital signature was left out: WOFF2 re-encodes outlines, which invalidates it.",
};

const METADATA_DROPPED: Warning = {
  code: "metadata_dropped",
  detail: "The metadata block of the font file was left out.",
};

interface Read {
  readonly faces: readonly Sfnt[];
  readonly warnings: readonly Warning[];
}

const SOURCE_BYTES_MAX: Partial<Record<FormatId, number>> = {
  ttc: FONT_COLLECTION_BYTES_MAX,
  bdf: BITMAP_FONT_BYTES_MAX,
};

const read = async ({ input, from }: EngineTask): Promise<Read> => {
  const bytes = await readInput(input, {
    max: SOURCE_BYTES_MAX[from] ?? FONT_BYTES_MAX,
    name: "font",
  });
  const reader = rowFor(READERS, from, "fonts");
  const { font, hasMetadata = false } = await orCorrupt(from, () => reader(bytes));
  return {
    faces: await orCorrupt(from, async () => (isSfnt(font) ? [font] : readCollection(font))),
    warnings: hasMetadata ? [METADATA_DROPPED] : [],
  };
};

const isSfnt = (font: Sfnt | Buffer): font is Sfnt => "tables" in font;

/** Content of a container: a font or a font collection, and whether it has a metadata block. */
export interface Unwrapped {
  readonly font: Sfnt | Buffer;
  readonly hasMetadata?: boolean;
}

const plain = (bytes: Buffer): Unwrapped => ({ font: readSfnt(bytes) });

const READERS: Partial<Record<FormatId, (bytes: Buffer) => Promise<Unwrapped> | Unwrapped>> = {
  ttf: plain,
  otf: plain,
  ttc: (font) => ({ font }),
  woff: fromWoff,
  woff2: fromWoff2,
  eot: (bytes) => ({ font: readSfnt(fromEot(bytes)) }),
  bdf: (bytes) => ({ font: toTrueType(readBdf(bytes)) }),
};

/** Offsets beyond the end and failed decompression mean a damaged font; other errors pass through. */
const orCorrupt = async <T>(from: FormatId, run: () => Promise<T> | T): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const damaged = /^(?:Z_|ERR_OUT_OF_RANGE|ERR_BUFFER_OUT_OF_BOUNDS|ERR_BUFFER_TOO_LARGE)/.test(code);
    throw damaged ? new JobError("source_corrupt", `The ${formatOf(from).name} is damaged.`, { cause: error }) : error;
  }
};

const writeParts = async (faces: readonly Sfnt[], task: EngineTask): Promise<Part[]> => {
  const total = faces.reduce((sum, { tables }) => sum + tables.reduce((all, { data }) => all + data.length, 0), 0);
  if (total > FONT_COLLECTION_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `The fonts have ${total} bytes; the maximum is ${FONT_COLLECTION_BYTES_MAX}.`,
    );
  }
  const parts: Part[] = [];
  for (const [index, face] of faces.entries()) {
    const path = join(task.folder, `face-${index + 1}`);
    await writeFile(path, await wrapped(face, task.to));
    parts.push({ path, name: faceName(face) ?? `font-${index + 1}` });
    task.progress((index + 1) / faces.length);
  }
  return parts;
};

const wrapped = async (face: Sfnt, to: FormatId): Promise<Uint8Array> => {
  const postScript = isPostScript(face);
  if (postScript ? to === "ttf" || to === "eot" : to === "otf") {
    const [has, fits] = postScript ? ["PostScript (CFF)", "otf"] : ["TrueType", "ttf"];
    throw new JobError("unsupported_feature", `The font has ${has} outlines: convert it to ${fits} instead of ${to}.`);
  }
  const font = addedUp(face);
  if (to === "woff") {
    return toWoff(font);
  }
  const bytes = writeSfnt(font);
  if (to === "woff2" && bytes.length > WOFF2_FONT_BYTES_MAX) {
    const detail = `The font has ${bytes.length} bytes; the maximum for WOFF2 is ${WOFF2_FONT_BYTES_MAX}.`;
    throw new JobError("output_too_large", detail);
  }
  return to === "woff2" ? toWoff2(bytes) : to === "eot" ? toEot(bytes) : bytes;
};
