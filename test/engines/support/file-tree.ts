import { createHash } from "node:crypto";

/** One file or folder of the tree in all archive samples. */
export interface TreeItem {
  readonly path: string;
  /** Undefined for a folder. */
  readonly bytes?: Buffer;
  readonly mode: number;
}

/** Modification time of all entries. */
export const TREE_TIME = new Date("2024-02-29T12:34:56Z");

/** The content of the samples in single-file formats. */
export const SINGLE_BYTES = Buffer.from("One line.\nZwei Zeilen: Größe, naïve, 日本語, עברית.\n".repeat(20));

const file = (path: string, bytes: string | Buffer, mode = 0o644): TreeItem => ({
  path,
  bytes: Buffer.from(bytes),
  mode,
});

/** An empty zip: an archive within an archive is a regular file. */
const EMPTY_ZIP = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

/** @returns incompressible bytes */
const noise = (length: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, index) => createHash("sha256").update(`${index}`).digest()),
  ).subarray(0, length);

/** Supported by every archive format: files in folders, with plain names. */
export const PLAIN_TREE: readonly TreeItem[] = [
  file("readme.txt", SINGLE_BYTES),
  file("none.txt", ""),
  file("deep/er/noise.bin", noise(3_000)),
  file("inner.zip", EMPTY_ZIP),
];

/** Supported by most formats: names in other scripts, an executable, an empty folder. */
export const FULL_TREE: readonly TreeItem[] = [
  ...PLAIN_TREE,
  file("run.sh", "#!/bin/sh\necho ok\n", 0o755),
  file("Größe/naïve café.txt", "é\n"),
  file("日本語/ファイル 1.txt", "日本\n"),
  file("עברית.txt", "שלום\n"),
  { path: "empty", mode: 0o755 },
];
