import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { read, set_cptable, type WorkBook } from "@e965/xlsx";
import { SPREADSHEET_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import { checkRepeatedCells } from "../io/repeated-cells.ts";
import { readZip } from "../io/zip-reader.ts";
import { leanZip, type Part } from "./lean-zip.ts";

/** A workbook that was read, and what to tell the client of it. */
export interface ReadWorkbook {
  readonly workbook: WorkBook;
  readonly warnings: readonly Warning[];
}

/**
 * Reads a workbook whole.
 *
 * @throws JobError `source_corrupt`, `source_mismatch`, `password_required`, `archive_unsafe`, `output_too_large`
 */
export const readWorkbook = async ({ input, from, folder }: EngineTask): Promise<ReadWorkbook> => {
  const kind = await kindOf(input);
  checkKind(kind, from);
  const zip = kind === "zip" ? await unpacked(await innerZip(input, folder), from) : undefined;
  const bytes = zip?.bytes ?? (await readFile(input));
  if (from === "fods") {
    checkRepeatedCells(bytes.toString("latin1"));
  }
  if (kind === "ole" && isEncrypted(bytes)) {
    throw encrypted();
  }
  if (from === "xls") {
    // Texts of old workbooks are in code pages of Windows and the Macintosh.
    set_cptable(await import("@e965/xlsx/dist/cpexcel"));
  }
  const workbook = parse(bytes, from);
  if (from === "numbers") {
    roundNumbers(workbook);
  }
  const vba = zip?.macros === true || (kind === "ole" && bytes.includes(Buffer.from("_VBA_PROJECT_CUR", "utf16le")));
  return { workbook, warnings: vba ? [MACROS_DROPPED] : [] };
};

const MACROS_DROPPED: Warning = {
  code: "macros_dropped",
  detail: "The workbook has macros, which are not in the result.",
};

const parse = (bytes: Buffer, from: FormatId): WorkBook => {
  try {
    // Formulas and number formats are kept for the formats that have them; styles cannot be written.
    return read(bytes, {
      type: "buffer",
      dense: true,
      cellNF: true,
      cellFormula: true,
      cellHTML: false,
    });
  } catch (error) {
    throw translated(error, from);
  }
};

/** Numbers holds decimals of 34 digits, which SheetJS multiplies out as doubles: 1999 × 0.01 is 19.990000000000002. */
const EXACT_DIGITS = 15;

const roundNumbers = ({ Sheets }: WorkBook): void => {
  for (const cell of Object.values(Sheets).flatMap((sheet) => sheet["!data"]?.flat() ?? [])) {
    if (typeof cell?.v === "number") {
      cell.v = Number(cell.v.toPrecision(EXACT_DIGITS));
    }
  }
};

const translated = (error: unknown, from: FormatId): unknown => {
  const message = error instanceof Error ? error.message : String(error);
  if (/password|encrypt/i.test(message)) {
    return encrypted();
  }
  // What is no error of ours: a limit of the process, a module that is not there.
  if (error instanceof Error && /(?:Cannot find (?:module|package)|Array buffer allocation)/.test(message)) {
    return error;
  }
  const name = formatOf(from).name;
  return /unsupported/i.test(message)
    ? new JobError("unsupported_feature", `The ${name} file uses a feature that cannot be read here.`, { cause: error })
    : new JobError("source_corrupt", `The ${name} file is damaged and cannot be read.`, { cause: error });
};

const encrypted = (): JobError =>
  new JobError("password_required", "The workbook is encrypted; save it without a password first.");

type Kind = "zip" | "ole" | "stream" | "text";

const HEAD_BYTES = 8;

/** What files begin with, in hexadecimal. */
const SIGNATURES: readonly (readonly [RegExp, Kind])[] = [
  [/^504b/, "zip"],
  [/^d0cf11e0/, "ole"],
  [/^09(?:00|02|04|08)/, "stream"],
];

/** @returns what the file is, by its first bytes; anything else SheetJS would take for a CSV */
const kindOf = async (path: string): Promise<Kind> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString("hex", 0, bytesRead);
    return SIGNATURES.find(([signature]) => signature.test(head))?.[1] ?? "text";
  } finally {
    await file.close();
  }
};

/** What files of a format are; the name of a file may have told the format. */
const KINDS: Partial<Record<FormatId, readonly Kind[]>> = {
  xlsx: ["zip", "ole"],
  xlsb: ["zip", "ole"],
  ods: ["zip"],
  numbers: ["zip"],
  xls: ["ole", "stream", "zip"],
  fods: ["text"],
};

const checkKind = (kind: Kind, from: FormatId): void => {
  if (!KINDS[from]?.includes(kind)) {
    throw new JobError("source_mismatch", `The file is no ${formatOf(from).name} file.`);
  }
};

/** Of a book in Numbers of 2013 all parts lie in a zip within. @returns the path of the zip that has the parts */
const innerZip = (path: string, folder: string): Promise<string> =>
  readZip(path, async (zip) => {
    const inner = zip.has("[Content_Types].xml") ? undefined : await zip.read("Index.zip");
    if (inner === undefined) {
      return path;
    }
    const unpackedTo = join(folder, "Index.zip");
    await writeFile(unpackedTo, inner, { flag: "wx" });
    return unpackedTo;
  });

/** Parts that have anything to do with cells. */
const PARTS = /(?:\.(?:xml|bin|rels|iwa|plist)|^mimetype)$/i;

/** @returns a zip of the parts that are needed, whose sizes are sound, and whether there are macros beside them */
const unpacked = (path: string, from: FormatId): Promise<{ bytes: Buffer; macros: boolean }> =>
  readZip(path, async (zip) => {
    const parts: Part[] = [];
    let bytes = 0;
    for (const member of zip.paths.filter((each) => PARTS.test(each))) {
      const read = (await zip.read(member)) ?? Buffer.alloc(0);
      parts.push({ path: member, bytes: read });
      bytes += read.length;
      if (bytes > SPREADSHEET_BYTES_MAX) {
        throw new JobError(
          "output_too_large",
          `The workbook unpacks to over ${SPREADSHEET_BYTES_MAX} bytes, which is the most that is read here.`,
        );
      }
      if (from === "ods" && member === "content.xml") {
        checkRepeatedCells(read.toString("latin1"));
      }
    }
    const macros = zip.paths.some((member) => /vbaProject\.bin$|^Basic\/.*\.xml$/.test(member));
    return { bytes: leanZip(parts), macros };
  });

/** OOXML that is encrypted is a stream of this name ([MS-OFFCRYPTO] 2.3.4). */
const isEncrypted = (bytes: Buffer): boolean => bytes.includes(Buffer.from("EncryptedPackage", "utf16le"));
