import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, lstat, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AnyformError } from "../http/errors.ts";
import { type ConvertedFile, readVerified } from "../transfer/file.ts";
import { chunksOf } from "../transfer/input.ts";

export interface SaveOptions {
  /** Whether an existing file is replaced. @default false */
  readonly overwrite?: boolean | undefined;
}

/** Writes a temporary file in the same folder, then renames it: readers see the complete file or none. */
export const saveFile = async (
  file: ConvertedFile,
  path: string,
  { overwrite = false }: SaveOptions = {},
): Promise<string> => {
  if (!overwrite && (await exists(path))) {
    throw outputExists(path);
  }
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.part`);
  try {
    await readVerified(() => pipeline(Readable.from(chunksOf(file.stream())), createWriteStream(part)));
    await (overwrite ? rename(part, path) : place(part, path));
  } finally {
    await rm(part, { force: true });
  }
  return path;
};

export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

export const outputExists = (path: string): AnyformError =>
  new AnyformError({ code: "output_exists", detail: `${path} already exists.` });

/** A hard link fails if the name exists, so there is no race as with a check and a rename. */
const place = async (part: string, path: string): Promise<void> => {
  try {
    await link(part, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") {
      throw outputExists(path);
    }
    // Some file systems (FAT, some network drives) do not support hard links.
    if (await exists(path)) {
      throw outputExists(path);
    }
    await rename(part, path);
  }
};
