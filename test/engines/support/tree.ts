import { createHash } from "node:crypto";

/** One file or folder of the tree that all samples of archives hold. */
export interface TreeItem {
  readonly path: string;
  /** Undefined for a folder. */
  readonly bytes?: Buffer;
  readonly mode: number;
}

/** When all of it was changed. */
export const TREE_TIME = new Date("2024-02-29T12:34:56Z");

/** What the samples of formats that hold one file hold. */
export const SINGLE_BYTES = Buffer.from("One line.\nZwei Zeilen: Größe, naïve, 日本語, עברית.\n".repeat(20));

const file = (path: string, bytes: string | Buffer, mode = 0o644): TreeItem => ({
  path,
  bytes: Buffer.from(bytes),
  mode,
});

/** A zip that holds nothing: an archive within an archive is a file like others. */
const EMPTY_ZIP = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

/** @returns bytes that no method packs */
const noise = (length: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, index) => createHash("sha256").update(`${index}`).digest()),
  ).subarray(0, length);

/** What every archive can hold: files in folders, with plain names. */
export const PLAIN_TREE: readonly TreeItem[] = [
  file("readme.txt", SINGLE_BYTES),
  file("none.txt", ""),
  file("deep/er/noise.bin", noise(3_000)),
  file("inner.zip", EMPTY_ZIP),
];

/** What most can hold: names in other scripts, a program, an empty folder. */
export const FULL_TREE: readonly TreeItem[] = [
  ...PLAIN_TREE,
  file("run.sh", "#!/bin/sh\necho ok\n", 0o755),
  file("Größe/naïve café.txt", "é\n"),
  file("日本語/ファイル 1.txt", "日本\n"),
  file("עברית.txt", "שלום\n"),
  { path: "empty", mode: 0o755 },
];
