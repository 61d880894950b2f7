import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { FULL_TREE, PLAIN_TREE, SINGLE_BYTES, TREE_TIME, type TreeItem } from "../support/file-tree.ts";
import { outputOf, type Unpacked, unpackedBy } from "../support/listing.ts";
import { scratchFolder } from "../support/scratch.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract, type Result } from "./contract.ts";

const scratch = scratchFolder();

/** Formats whose samples hold less: no names in other scripts, no executables, no empty folders. */
const PLAIN: ReadonlySet<FormatId> = new Set(["arj", "lzh"]);
const SINGLE: ReadonlySet<FormatId> = new Set(["gz", "bz2", "xz", "zst", "lzma", "z", "br", "lz4"]);
/** Formats without permissions. */
const MODELESS: ReadonlySet<FormatId> = new Set(["cab", "arj", "lzh", "iso", "wim", "warc"]);

const expected = (from: FormatId): readonly TreeItem[] => {
  if (SINGLE.has(from)) {
    return [{ path: from === "gz" ? "readme.txt" : "file.txt", bytes: SINGLE_BYTES, mode: 0o644 }];
  }
  const tree = PLAIN.has(from) ? PLAIN_TREE : FULL_TREE;
  return from === "cab" || from === "warc"
    ? tree.filter(({ bytes }) => bytes !== undefined)
    : from === "xar"
      ? tree.filter(({ path }) => !/[\u0100-\uffff]/.test(path))
      : tree;
};

/** A Debian package contains archives, which are not unpacked. */
const holdsPackage = (found: Map<string, Unpacked>): void => {
  expect([...found.keys()]).toEqual(["data.tar.gz"]);
  expect(gunzipSync(found.get("data.tar.gz")?.bytes ?? "").toString("latin1", 0, 10)).toBe("readme.txt");
};

const holdsTree = (found: Map<string, Unpacked>, { from, codes }: Result): void => {
  if (["document", "video"].includes(formatOf(from).family)) {
    // test/engines/pdf/qpdf.test.ts and test/engines/media/films.test.ts check the images and the segments.
    expect([...found.keys()].join()).toMatch(from === "pdf" ? /page-1-image-1\.png/ : /master\.m3u8/);
    return;
  }
  expect(codes).toEqual([]);
  if (formatOf(from).family === "mail") {
    // test/engines/mail/mail.test.ts checks their content.
    expect(found.size).toBeGreaterThan(0);
    return;
  }
  if (from === "deb") {
    holdsPackage(found);
    return;
  }
  const items = expected(from);
  const parents = items.flatMap(({ path }) => path.split("/").slice(0, -1));
  const files = [...found.values()].filter(
    ({ path, bytes }) => bytes !== undefined || !parents.includes(path.split("/").at(-1) ?? ""),
  );
  expect(files.map(({ path }) => path).sort()).toEqual(items.map(({ path }) => path).sort());
  for (const { path, bytes, mode } of items) {
    const item = found.get(path);
    expect(item?.bytes, path).toEqual(bytes);
    if (!MODELESS.has(from)) {
      expect(item?.mode, path).toBe(mode);
    }
    if (!SINGLE.has(from)) {
      expect(item?.modified, path).toEqual(TREE_TIME);
    }
  }
};

const opensBy =
  (...programs: readonly ("bsdtar" | "7zz" | "unzip")[]): Check =>
  (result) => {
    const there = programs.filter((program) => withTool(program));
    for (const program of there) {
      holdsTree(unpackedBy(program, result.path, scratch.folder), result);
    }
    expect(existsSync(result.path)).toBe(true);
  };

const holdsSingle =
  (program: string, ...args: readonly string[]): Check =>
  ({ path, codes }) => {
    expect(codes).toEqual([]);
    expect(readFileSync(path).equals(SINGLE_BYTES)).toBe(false);
    if (withTool(program)) {
      expect(outputOf(program, ...args, path).equals(SINGLE_BYTES)).toBe(true);
    }
  };

const zip = opensBy("unzip", "bsdtar", "7zz");
const tar = opensBy("bsdtar");

contract("archive", {
  zip,
  cbz: zip,
  tar,
  tgz: tar,
  tbz2: tar,
  txz: tar,
  tzst: tar,
  tlz4: tar,
  tbr: (result) => {
    if (withTool("brotli")) {
      const path = scratch.file(outputOf("brotli", "-dc", result.path));
      tar({ ...result, path });
    }
    expect(existsSync(result.path)).toBe(true);
  },
  "7z": opensBy("7zz", "bsdtar"),
  gz: holdsSingle("gzip", "-dc"),
  bz2: holdsSingle("bzip2", "-dc"),
  xz: holdsSingle("xz", "-dc"),
  zst: holdsSingle("zstd", "-dcq"),
  br: holdsSingle("brotli", "-dc"),
  lz4: holdsSingle("lz4", "-dcq"),
});
