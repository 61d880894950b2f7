import { createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { EngineTask } from "../engine.ts";
import { budgetOf, counted } from "../io/archive/budget.ts";
import { unpackedBytes } from "../io/archive/sources.ts";
import type { DiskItem } from "../io/sevenzip/disk.ts";
import { type Extracted, extract } from "../io/sevenzip/extract.ts";

/** What 7-Zip calls formats that it reads as one; where it depends on the bytes, there is a function in `typeOf`. */
const TYPES: Partial<Record<FormatId, string>> = {
  "7z": "7z",
  cb7: "7z",
  cab: "cab",
  arj: "arj",
  lzh: "lzh",
  cpio: "cpio",
  deb: "ar",
  xar: "xar",
  wim: "wim",
  tbz2: "bzip2",
  txz: "xz",
  tlz: "lzma",
  taz: "z",
  bz2: "bzip2",
  xz: "xz",
  lzma: "lzma",
  z: "z",
};

/**
 * Unpacks an archive of many files.
 *
 * @throws JobError as {@link extract}
 */
export const unpackArchive = async (task: EngineTask): Promise<Extracted> => {
  if (task.from !== "rpm") {
    return extracted(task, await typeOf(task));
  }
  // An RPM is a packed cpio behind headers; 7-Zip opens both, and leaves the cpio.
  const { items } = await extracted(task, undefined);
  const inner = onlyFile(items, task.from);
  return extracted({ ...task, input: inner }, "cpio");
};

/** @returns the path of what a file that holds one other holds */
export const unpackFile = async (task: EngineTask): Promise<string> => {
  const { from, input, folder } = task;
  if (from === "gz" || from === "zst") {
    const file = join(folder, "unpacked");
    await pipeline(counted(unpackedBytes(task, from), await budgetOf(input)), createWriteStream(file));
    return file;
  }
  const { items } = await extracted(task, await typeOf(task));
  return onlyFile(items, from);
};

const extracted = async (
  { input, from, folder, options }: EngineTask,
  type: string | undefined,
): Promise<Extracted> => {
  const { password } = options;
  const name = formatOf(from).name;
  try {
    return await extract({ input, type, name, folder, budget: await budgetOf(input), password });
  } catch (error) {
    // Without the password, 7-Zip cannot tell an encrypted directory from a damaged one.
    if (error instanceof JobError && error.code === "source_corrupt" && (await isSealed(input, from))) {
      const detail = `The ${name} is encrypted with its directory, and the password is missing or wrong.`;
      throw new JobError("password_required", detail, { cause: error });
    }
    throw error;
  }
};

/** Bytes at the end of a 7z in which it says how its directory is packed. */
const END_BYTES = 1_024;
/** The number of AES-256 among the methods of 7z (7-Zip, DOC/Methods.txt). */
const AES = Buffer.from("06f10701", "hex");
/** Where a RAR 5 has the kind of its first block, and the kind of one that says that all others are encrypted. */
const RAR5_KIND_AT = 13;
const RAR5_SEALED = 4;

const isSealed = async (input: string, from: FormatId): Promise<boolean> => {
  if (from === "7z" || from === "cb7") {
    const { size } = await stat(input);
    return (await bytesAt(input, Math.max(0, size - END_BYTES), END_BYTES)).includes(AES);
  }
  const rar = from === "rar" || from === "cbr";
  return rar && (await bytesAt(input, RAR5_KIND_AT, 1))[0] === RAR5_SEALED;
};

const onlyFile = (items: readonly DiskItem[], from: FormatId): string => {
  const file = items.find(({ kind }) => kind === "file")?.file;
  if (file === undefined) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} holds nothing.`);
  }
  return file;
};

/** RAR 5 has a signature of eight bytes, older ones one of seven that ends in zero. */
const RAR5_AT = 6;

/** The descriptors of a volume begin here; those of UDF stand behind those of ISO 9660 (ECMA-167, 2/8). */
const DESCRIPTORS_AT = 32_768;
const DESCRIPTORS_BYTES = 32 * 2_048;

const typeOf = async ({ input, from }: EngineTask): Promise<string> => {
  if (from === "rar" || from === "cbr") {
    const version = await bytesAt(input, RAR5_AT, 1);
    return version[0] === 1 ? "rar5" : "rar";
  }
  if (from === "iso") {
    const descriptors = await bytesAt(input, DESCRIPTORS_AT, DESCRIPTORS_BYTES);
    return /\0NSR0[23]/.test(descriptors.toString("latin1")) ? "udf" : "iso";
  }
  const type = TYPES[from];
  if (type === undefined) {
    throw new TypeError(`sevenzip does not read ${from}.`);
  }
  return type;
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
