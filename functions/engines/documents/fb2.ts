import { writeFile } from "node:fs/promises";
import type { Engine } from "../core/engine.ts";
import { readXml } from "../data/text/xml.ts";
import { writeEpub } from "./epub/writer.ts";
import { bookOf } from "./fb2/book.ts";
import { cleanTree } from "./html/clean.ts";
import { cleanHtml } from "./html/html.ts";
import { readHtml } from "./html/reader.ts";
import { parseHtml } from "./html/tree.ts";

/** Maximum nesting depth of sections and their content. */
const DEPTH_MAX = 150;

/** FictionBook 2: a book in a single XML file, with embedded pictures. */
export const fb2Engine: Engine = {
  name: "fb2",
  version: async () => process.version,
  convert: async ({ input, output, from, to }) => {
    if (from !== "fb2" || (to !== "html" && to !== "epub")) {
      throw new TypeError(`fb2 cannot convert ${from} to ${to}.`);
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

/** Named entities of HTML that XML does not define but many books use. */
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
