import { writeFile } from "node:fs/promises";
import type { Engine } from "./engine.ts";
import { bookOf } from "./fb2/book.ts";
import { writeEpub } from "./io/epub-writer.ts";
import { cleanHtml } from "./io/html.ts";
import { cleanTree } from "./io/html-clean.ts";
import { readHtml } from "./io/html-reader.ts";
import { parseHtml } from "./io/html-tree.ts";
import { readXml } from "./io/xml.ts";

/** How deep sections may lie in one another, with all that is in them. */
const DEPTH_MAX = 150;

/** FictionBook 2: a book as one XML, with its pictures in it. */
export const fb2Engine: Engine = {
  name: "fb2",
  version: async () => process.version,
  convert: async ({ input, output, from, to }) => {
    if (from !== "fb2" || (to !== "html" && to !== "epub")) {
      throw new TypeError(`fb2 does not turn ${from} into ${to}.`);
    }
    const source = (await readHtml(input)).trimStart();
    const { root } = readXml(
      source.replace(NAMED, (_, name: string) => LETTERS[name] ?? ""),
      { depthMax: DEPTH_MAX },
    );
    const { html, pictures, ...properties } = bookOf(root);
    const clean = cleanHtml(html, { ...properties, pictures: (name) => pictures.get(name), directions: true });
    if (to === "epub") {
      return { warnings: [...clean.warnings, ...(await writeEpub(output, cleanTree(parseHtml(clean.html))))] };
    }
    await writeFile(output, clean.html, { flag: "wx" });
    return { warnings: clean.warnings };
  },
};

/** Letters that HTML names and XML does not; many books have them all the same. */
const LETTERS: Readonly<Record<string, string>> = {
  nbsp: "\u00a0",
  shy: "\u00ad",
  laquo: "«",
  raquo: "»",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
};
const NAMED = new RegExp(`&(${Object.keys(LETTERS).join("|")});`, "g");
