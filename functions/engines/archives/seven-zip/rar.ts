import { z } from "zod";
import { ARCHIVE_ENTRIES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type ProgramRun, programBytes, runProgram } from "../../core/program.ts";
import { type Budget, unsafe } from "../archive/budget.ts";
import type { RawEntry } from "../archive/entry.ts";
import type { Listed } from "./contents.ts";
import { sevenZipError } from "./errors.ts";
import { hasRarEnd } from "./rar-end.ts";
import { environmentIn, PROGRAM_MS_MAX, type Reading } from "./run.ts";

/**
 * RAR 4 and 5 with unar (The Unarchiver), which writes all contents to standard output, as 7-Zip does for other
 * formats. Free builds of 7-Zip have no RAR decoder. The list comes from `lsar`, which is part of unar.
 */

const run = (
  program: "lsar" | "unar",
  args: readonly string[],
  { folder, input, password }: Reading,
  files: readonly string[] = [],
): ProgramRun => ({
  program,
  // Neither program reads a password from standard input. Other jobs run in other sandboxes and cannot see the
  // arguments.
  arguments: [...args, "-nr", ...(password === undefined ? [] : ["-p", password]), input, ...files],
  folder,
  environment: environmentIn(folder),
  timeoutMs: PROGRAM_MS_MAX,
});

/**
 * Returns the contents of all files of a RAR, concatenated, or of the one at this index. unar does not verify checksums
 * when it writes to standard output, so the reader must.
 *
 * @throws JobError `source_corrupt`, `password_required`, `unsupported_feature`
 */
export const rarBytes = (reading: Reading, index?: number): AsyncGenerator<Buffer> => {
  const [flags, files] = index === undefined ? [[], []] : [["-i"], [String(index)]];
  return programBytes(run("unar", ["-q", "-k", "skip", "-o", "-", ...flags], reading, files), ({ code, stderr }) => {
    if (code !== 0) {
      throw sevenZipError(stderr, reading.name);
    }
  });
};

/** Properties of an entry in `lsar -j`; numbers that only one RAR version has are prefixed with its name. */
const rarEntry = z.looseObject({
  XADFileName: z.string(),
  XADFileSize: z.number().int().min(0).default(0),
  XADIsDirectory: z.number().optional(),
  XADIsEncrypted: z.number().optional(),
  XADIsLink: z.number().optional(),
  XADLinkDestination: z.string().optional(),
  XADIndex: z.number().int(),
  XADLastModificationDate: z.string().default(""),
  XADPosixPermissions: z.number().int().optional(),
  RAR5OS: z.number().optional(),
  RAR5Attributes: z.number().int().default(0),
  RAR5CRC32: z.number().optional(),
  RARCRC32: z.number().optional(),
});
type RarEntry = z.infer<typeof rarEntry>;

const rarList = z.looseObject({ lsarContents: z.array(rarEntry).default([]) });

/**
 * Lists a RAR, and checks the declared sizes before anything is unpacked.
 *
 * @throws JobError `archive_unsafe`, `source_corrupt`, `password_required`
 */
export const listedByLsar = async (reading: Reading, budget: Budget): Promise<Listed[]> => {
  const entries = await entriesOf(reading);
  const encrypted = entries.some(({ XADIsEncrypted }) => XADIsEncrypted === 1);
  if (encrypted && reading.password === undefined) {
    throw new JobError("password_required", `The ${reading.name} is encrypted.`);
  }
  for (const { XADFileSize } of entries) {
    budget.entry();
    budget.bytes(XADFileSize);
  }
  if (reading.password === undefined && !(await hasRarEnd(reading.input))) {
    throw new JobError("source_corrupt", `The ${reading.name} is truncated: its end block is missing.`);
  }
  if (encrypted) {
    await testEncrypted(reading);
  }
  const first = new Map(entries.toReversed().map((entry) => [entry.XADFileName, entry]));
  return entries.map((entry) => listedOf(entry, { reading, linked: first.get(entry.XADLinkDestination ?? "") }));
};

/** Maximum bytes of an entry in the list, with a long name. */
const LISTED_BYTES_MAX = 4_000;

const entriesOf = async (reading: Reading): Promise<readonly RarEntry[]> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onOutput = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > LISTED_BYTES_MAX * ARCHIVE_ENTRIES_MAX) {
      throw unsafe(`has a list of more than ${LISTED_BYTES_MAX * ARCHIVE_ENTRIES_MAX} bytes, the maximum`);
    }
  };
  const { code, stderr } = await runProgram({ ...run("lsar", ["-ja"], reading), onOutput });
  const list = code === 0 ? rarList.safeParse(parsed(Buffer.concat(chunks).toString("latin1"))) : undefined;
  if (list?.success !== true) {
    // With a wrong password, an encrypted list is random bytes.
    const printed = reading.password === undefined ? stderr : `Wrong password? ${stderr}`;
    throw sevenZipError(printed, reading.name);
  }
  return list.data.lsarContents;
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** Checksums of encrypted files are keyed (RAR 5), so unar has to verify them itself, in a first pass. */
const testEncrypted = async (reading: Reading): Promise<void> => {
  const { code } = await runProgram({ ...run("lsar", ["-t"], reading), onOutput: () => {} });
  if (code !== 0) {
    throw sevenZipError("Wrong password?", reading.name);
  }
};

const UNIX = 1;
const TYPE = 0o170_000;
const LINK_TYPE = 0o120_000;
/** Windows' attribute for links (FILE_ATTRIBUTE_REPARSE_POINT). */
const REPARSE_POINT = 0x400;

/** @param linked the entry it links to; a hard link shares its content */
const listedOf = (
  entry: RarEntry,
  { reading, linked }: { readonly reading: Reading; readonly linked: RarEntry | undefined },
): Listed => {
  const { XADIsDirectory, XADIsLink, XADIsEncrypted, XADFileSize: bytes, RAR5OS, RAR5Attributes } = entry;
  const mode = entry.XADPosixPermissions ?? (RAR5OS === UNIX ? RAR5Attributes : 0);
  const isSymlink = (mode & TYPE) === LINK_TYPE || (RAR5OS !== UNIX && (RAR5Attributes & REPARSE_POINT) !== 0);
  const isSecond = XADIsLink === 1 && !isSymlink;
  const kind: RawEntry["kind"] =
    XADIsDirectory === 1 ? "folder" : isSymlink ? "symlink" : isSecond && linked === undefined ? "special" : "file";
  const crc = entry.RAR5CRC32 ?? entry.RARCRC32;
  return {
    path: entry.XADFileName,
    kind,
    modified: new Date(entry.XADLastModificationDate.replace(/ ([+-]\d+)$/, "$1").replace(" ", "T")),
    mode: mode & 0o7777,
    bytes: isSecond ? (linked?.XADFileSize ?? 0) : bytes,
    streamed: kind === "folder" ? 0 : bytes,
    ...(XADIsLink === 1 && { target: entry.XADLinkDestination ?? "" }),
    ...(isSecond && linked !== undefined && { apart: () => rarBytes(reading, linked.XADIndex) }),
    ...(XADIsEncrypted !== 1 && bytes > 0 && { crc }),
  };
};
