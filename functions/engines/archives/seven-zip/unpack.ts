import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { EngineTask } from "../../core/engine.ts";
import { type Budget, budgetOf, counted } from "../archive/budget.ts";
import type { RawEntry } from "../archive/entry.ts";
import { isStreamed, unpackedBytes } from "../archive/sources.ts";
import { dealtOut } from "./contents.ts";
import { listedBy7zz } from "./listing.ts";
import { listedByLsar, rarBytes } from "./rar.ts";
import { type Reading, sevenZipBytes } from "./run.ts";

/** 7-Zip's names of the formats with many files. */
const ARCHIVES: Partial<Record<FormatId, string>> = {
  "7z": "7z",
  cb7: "7z",
  cab: "cab",
  arj: "arj",
  lzh: "lzh",
  cpio: "cpio",
  deb: "ar",
  xar: "xar",
  wim: "wim",
};

/** 7-Zip's names of the formats with one file. */
const PACKED: Partial<Record<FormatId, string>> = {
  tbz2: "bzip2",
  txz: "xz",
  tlz: "lzma",
  taz: "z",
  bz2: "bzip2",
  xz: "xz",
  lzma: "lzma",
  z: "z",
};

/** A list that 7-Zip adds to the files of a XAR. */
const XAR_CONTENTS = "[TOC].xml";

/**
 * Returns the entries of an archive with many files.
 *
 * @throws JobError `source_corrupt`, `password_required`, `unsupported_feature`, `archive_unsafe`
 */
export const archiveEntries = async function* (task: EngineTask): AsyncGenerator<RawEntry> {
  const { input, from, folder, options } = task;
  const budget = await budgetOf(input);
  const reading = { input, type: "rar", name: formatOf(from).name, folder, password: options.password };
  if (from === "rar" || from === "cbr") {
    yield* dealtOut(await listedByLsar(reading, budget), rarBytes(reading), reading.name);
    return;
  }
  const typed = from === "rpm" ? await rpmPayload(reading, budget) : { ...reading, type: await typeOf(input, from) };
  const listed = await listedBy7zz(typed, budget);
  for await (const entry of dealtOut(listed, sevenZipBytes(typed), typed.name)) {
    if (from !== "xar" || entry.path !== XAR_CONTENTS) {
      yield entry;
    }
  }
};

/**
 * Returns the content of a format with one file.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`, `archive_unsafe`
 */
export const singleBytes = async function* (task: EngineTask): AsyncGenerator<Buffer> {
  const { input, from, folder } = task;
  const bytes = isStreamed(from)
    ? unpackedBytes(task, from)
    : sevenZipBytes({ input, type: typeIn(PACKED, from), name: formatOf(from).name, folder });
  yield* counted(bytes, await budgetOf(input));
};

/** Offset of the volume descriptors; those of UDF follow those of ISO 9660 (ECMA-167, 2/8). */
const DESCRIPTORS_AT = 32_768;
const DESCRIPTORS_BYTES = 32 * 2_048;

const typeOf = async (input: string, from: FormatId): Promise<string> => {
  if (from !== "iso") {
    return typeIn(ARCHIVES, from);
  }
  const descriptors = await bytesAt(input, DESCRIPTORS_AT, DESCRIPTORS_BYTES);
  return /\0NSR0[23]/.test(descriptors.toString("latin1")) ? "udf" : "iso";
};

const typeIn = (types: Partial<Record<FormatId, string>>, from: FormatId): string => {
  const type = types[from];
  if (type === undefined) {
    throw new TypeError(`seven-zip does not read ${from}.`);
  }
  return type;
};

/** Signatures of the compression formats of RPM payloads (rpm.org, "RPM V4 Package format", Payload). */
const RPM_PACKERS = [
  ["1f8b", "gzip"],
  ["fd377a585a", "xz"],
  ["28b52ffd", "zstd"],
  ["425a68", "bzip2"],
  ["5d0000", "lzma"],
] as const;

/** @returns the payload of an RPM, a compressed cpio after the headers, as a file in the step's folder */
const rpmPayload = async (reading: Reading, budget: Budget): Promise<Reading> => {
  const packed = join(reading.folder, "payload");
  await pipeline(counted(sevenZipBytes({ ...reading, type: "rpm" }), budget), createWriteStream(packed));
  const head = (await bytesAt(packed, 0, 8)).toString("hex");
  const type = RPM_PACKERS.find(([magic]) => head.startsWith(magic))?.[1];
  if (type === undefined) {
    return { ...reading, input: packed, type: "cpio" };
  }
  const input = join(reading.folder, "payload.cpio");
  const bytes = sevenZipBytes({ ...reading, input: packed, type });
  await pipeline(counted(bytes, budget), createWriteStream(input));
  return { ...reading, input, type: "cpio" };
};

const bytesAt = async (path: string, at: number, length: number): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
