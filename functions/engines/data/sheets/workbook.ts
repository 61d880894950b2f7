import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { read, set_cptable, type WorkBook } from "@e965/xlsx";
import { SPREADSHEET_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { isEncryptedOffice, passwordNeeded } from "../../archives/zip/encrypted.ts";
import { readZip, type ZipDocument } from "../../archives/zip/reader.ts";
import { type StoredMember, storedZip } from "../../archives/zip/stored.ts";
import type { EngineTask } from "../../core/engine.ts";
import { checkRepeatedCells } from "../tables/repeated-cells.ts";
import { withoutReferences } from "./character-references.ts";
import { computeFormulas, countOpenFormulas } from "./formulas.ts";
import { withExactTimes } from "./ods-times.ts";

/** A workbook, and warnings for the client. */
export interface ReadWorkbook {
  readonly workbook: WorkBook;
  readonly warnings: readonly Warning[];
}

/**
 * Reads an entire workbook.
 *
 * @throws JobError `source_corrupt`, `source_mismatch`, `password_required`, `archive_unsafe`, `output_too_large`
 */
export const readWorkbook = async (task: EngineTask): Promise<ReadWorkbook> => {
  const { workbook, warnings, openFormulas } = await readStored(task);
  const reread = async (input: string): Promise<WorkBook> => {
    const folder = join(task.folder, "computed");
    await mkdir(folder);
    return (await readStored({ ...task, input, folder, from: "xlsx" })).workbook;
  };
  return { workbook, warnings: [...warnings, ...(await computeFormulas(workbook, openFormulas, task, reread))] };
};

interface StoredWorkbook extends ReadWorkbook {
  /** The number of formulas without a stored result. */
  readonly openFormulas: number;
}

/** Reads a workbook with the stored results of formulas. */
const readStored = async ({ input, from, folder, options }: EngineTask): Promise<StoredWorkbook> => {
  const kind = await kindOf(input);
  checkKind(kind, from);
  const zip = kind === "zip" ? await unpacked(await innerZip(input, folder, from), from) : undefined;
  const bytes = zip?.bytes ?? (await readFile(input));
  if (from === "fods") {
    checkRepeatedCells(bytes.toString("latin1"));
  }
  if (kind === "ole" && (await isEncryptedOffice(input))) {
    throw passwordNeeded(from);
  }
  if (from === "xls") {
    // Texts of old workbooks use code pages of Windows and the Macintosh.
    set_cptable(await import("@e965/xlsx/dist/cpexcel"));
  }
  const workbook = parse(from === "fods" ? withoutReferences(bytes) : bytes, from, options);
  if (from === "numbers") {
    roundNumbers(workbook);
  }
  const vba = zip?.macros === true || (kind === "ole" && bytes.includes(Buffer.from("_VBA_PROJECT_CUR", "utf16le")));
  const openFormulas = zip?.openFormulas ?? (from === "fods" ? countOpenFormulas(bytes) : 0);
  return { workbook, warnings: vba ? [MACROS_DROPPED] : [], openFormulas };
};

const MACROS_DROPPED: Warning = {
  code: "macros_dropped",
  detail: "The macros of the workbook were left out.",
};

const parse = (bytes: Buffer, from: FormatId, { values }: Options): WorkBook => {
  try {
    // Formulas and number formats are kept for the formats that support them; styles cannot be written.
    return read(bytes, {
      type: "buffer",
      dense: true,
      cellNF: true,
      cellFormula: true,
      cellHTML: false,
      ...(values === "shown" && { dateNF: US_DATE }),
    });
  } catch (error) {
    throw translated(error, from);
  }
};

/** How programs display the short date format, whose digits depend on the locale. */
const US_DATE = "m/d/yyyy";

/** Numbers has 34-digit decimals, which SheetJS computes as doubles: 1999 × 0.01 is 19.990000000000002. */
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
    return passwordNeeded(from);
  }
  // Not caused by the file: a limit of the process, a missing module.
  if (error instanceof Error && /(?:Cannot find (?:module|package)|Array buffer allocation)/.test(message)) {
    return error;
  }
  const name = formatOf(from).name;
  return /unsupported/i.test(message)
    ? new JobError("unsupported_feature", `The ${name} file uses a feature that is not supported.`, { cause: error })
    : new JobError("source_corrupt", `The ${name} file is damaged and cannot be read.`, { cause: error });
};

type Kind = "zip" | "ole" | "stream" | "text";

const HEAD_BYTES = 8;

/** Signatures of files, in hexadecimal. */
const SIGNATURES: readonly (readonly [RegExp, Kind])[] = [
  [/^504b/, "zip"],
  [/^d0cf11e0/, "ole"],
  [/^09(?:00|02|04|08)/, "stream"],
];

/** @returns the kind of a file, by its signature; SheetJS would read anything else as CSV */
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

/** The kinds of each format; the format may have been detected from the file name. */
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
    throw new JobError("source_mismatch", `The file is not in ${formatOf(from).name} format.`);
  }
};

/** In Numbers of 2013, all parts are in a nested zip. @returns the path of the zip with the parts */
const innerZip = (path: string, folder: string, from: FormatId): Promise<string> => {
  const unpack = async (zip: ZipDocument): Promise<string> => {
    const inner = zip.has("[Content_Types].xml") ? undefined : await zip.read("Index.zip");
    if (inner === undefined) {
      return path;
    }
    const unpackedTo = join(folder, "Index.zip");
    await writeFile(unpackedTo, inner, { flag: "wx" });
    return unpackedTo;
  };
  return readZip(path, unpack, from);
};

/** The parts of XLSX and OpenDocument that contain cells. */
const SHEETS = /^(?:xl\/worksheets\/[^/]+\.xml|content\.xml)$/i;

interface Unpacked extends Pick<StoredWorkbook, "openFormulas"> {
  readonly bytes: Buffer;
  readonly macros: boolean;
}

/** Parts that are relevant to cells. */
const PARTS = /(?:\.(?:xml|bin|rels|iwa|plist)|^mimetype)$/i;

/**
 * @returns a zip with the required parts, whose sizes are checked, and whether the workbook has macros. SheetJS unpacks
 * all members of a zip, regardless of their size, before it selects what it needs, including pictures.
 */
const unpacked = (path: string, from: FormatId): Promise<Unpacked> => {
  const unpack = async (zip: ZipDocument) => {
    const parts: StoredMember[] = [];
    let bytes = 0;
    let openFormulas = 0;
    for (const member of zip.paths.filter((each) => PARTS.test(each))) {
      const stored = (await zip.read(member)) ?? Buffer.alloc(0);
      const read = /\.xml$/i.test(member) ? withoutReferences(stored) : stored;
      const isOds = from === "ods" && member === "content.xml";
      parts.push({ path: member, bytes: isOds ? withExactTimes(read) : read });
      bytes += read.length;
      if (bytes > SPREADSHEET_BYTES_MAX) {
        throw new JobError(
          "output_too_large",
          `The workbook unpacks to more than ${SPREADSHEET_BYTES_MAX} bytes, the maximum.`,
        );
      }
      openFormulas += SHEETS.test(member) ? countOpenFormulas(read) : 0;
      if (member === "META-INF/manifest.xml" && read.includes("<manifest:encryption-data")) {
        throw passwordNeeded(from);
      }
      if (isOds) {
        checkRepeatedCells(read.toString("latin1"));
      }
    }
    const macros = zip.paths.some((member) => /vbaProject\.bin$|^Basic\/.*\.xml$/.test(member));
    return { bytes: Buffer.concat([...storedZip(parts)]), macros, openFormulas };
  };
  return readZip(path, unpack, from);
};
