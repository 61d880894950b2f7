import { gzipSync } from "node:zlib";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { tarEntries } from "../../../functions/engines/archives/archive/tar-source.ts";
import { archiveEngine } from "../../../functions/engines/archives/archive.ts";
import type { Engine } from "../../../functions/engines/core/engine.ts";
import { epubEngine } from "../../../functions/engines/documents/epub.ts";
import { fb2Engine } from "../../../functions/engines/documents/fb2.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { tarOf, zipOf } from "../../engines/support/raw-archives.ts";
import { changedZip } from "../change-zip.ts";
import { fb2Grammar, xmlOf } from "../grammars/xml.ts";
import { broken, type Parser, type Workspace } from "../parser.ts";
import { converted } from "../through.ts";
import { checkSafe } from "./pages.ts";

/** Maximum output of a 64 kB input: no decompression bomb is unpacked completely. */
const UNPACKED_BYTES_MAX = 120_000_000;

/** The content of an archive stays below its output folder, and within the size limit. */
const holdArchive =
  (from: FormatId) =>
  async (input: Buffer, workspace: Workspace): Promise<void> => {
    const tar = await converted(archiveEngine, input, [from, "tar"], workspace);
    if (tar.length > UNPACKED_BYTES_MAX) {
      throw broken("An archive is not a decompression bomb", [input.length, tar.length]);
    }
    const chunks = async function* () {
      yield tar;
    };
    for await (const { path, kind, target, content } of tarEntries(chunks())) {
      const leads = kind === "symlink" || kind === "hardlink" ? (target ?? "") : "";
      if (/^\/|(?:^|\/)\.\.(?:\/|$)|[\0\\]/.test(path) || leads.startsWith("/")) {
        throw broken("A name stays below its folder", { path, leads });
      }
      for await (const _ of content()) {
        // Unread content would block the next entry.
      }
    }
  };

const holdBook =
  (engine: Engine, from: FormatId) =>
  async (input: Buffer, workspace: Workspace): Promise<void> =>
    checkSafe((await converted(engine, input, [from, "html"], workspace)).toString());

const NAMED = [
  { name: "a/b.txt", bytes: "hello" },
  { name: "Prüfung.txt", bytes: "x".repeat(600) },
  { name: "a/", type: "5" },
  { name: "link", type: "2", link: "a/b.txt" },
  { name: "././@PaxHeader", type: "x", bytes: "18 path=long/name\n17 mtime=1700000\n" },
  { name: "short", bytes: "1" },
];
const FIELDS = [
  "ustar\0",
  "0000644\0",
  "00000000001\0",
  "\x80\0\0\0\0\0\0\0\0\0\0\x7f",
  "27 path=../../a\n",
  "../",
  "L",
  "x",
  "K",
  "\0",
];

const PAGES = [
  "<p>",
  "</p>",
  '<img src="',
  '<a href="javascript:x">',
  "<svg>",
  "&lt;",
  '<item id="x" href="',
  '<itemref idref="x"/>',
  "<rootfile",
];

export const containerParsers: readonly Parser[] = [
  {
    name: "tar",
    sources: ["functions/engines/archives/archive/"],
    samples: () => [sample("tar").subarray(0, 30_000), tarOf(NAMED)],
    words: FIELDS,
    hold: holdArchive("tar"),
  },
  {
    name: "tgz",
    sources: ["functions/engines/archives/archive/"],
    samples: () => [gzipSync(tarOf(NAMED)), Buffer.concat([gzipSync("a"), gzipSync(tarOf(NAMED))])],
    words: ["\x1f\x8b\x08\0", "\0"],
    hold: holdArchive("tgz"),
  },
  {
    name: "zip",
    sources: ["functions/engines/archives/archive/"],
    samples: () => [sample("zip"), zipOf(NAMED.slice(0, 2)), zipOf([{ name: "a", bytes: Buffer.alloc(100_000) }])],
    words: ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK\x07\x08", "../", "\0"],
    change: changedZip(["a"]),
    hold: holdArchive("zip"),
  },
  {
    name: "epub",
    sources: [
      "functions/engines/documents/epub",
      "functions/engines/documents/epub/",
      "functions/engines/archives/zip/reader.ts",
    ],
    samples: () => [sample("epub")],
    words: PAGES,
    change: changedZip(PAGES),
    hold: holdBook(epubEngine, "epub"),
  },
  {
    name: "fb2",
    sources: ["functions/engines/documents/fb2", "functions/engines/data/text/xml.ts"],
    samples: () => [sample("fb2").subarray(0, 65_536)],
    words: [
      "<section>",
      "</section>",
      "<p>",
      '<image l:href="#',
      '<a l:href="javascript:x">',
      "<binary id=",
      "&nbsp;",
      "<v>",
    ],
    change: (_, random) => xmlOf(fb2Grammar)(random),
    hold: holdBook(fb2Engine, "fb2"),
  },
];
