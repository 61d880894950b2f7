import { writeFile } from "node:fs/promises";
import { MOBI_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { Engine } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { writeEpub } from "./epub/writer.ts";
import { cleanTree } from "./html/clean.ts";
import { parseHtml } from "./html/tree.ts";
import { htmlOfBook } from "./mobi/book.ts";

/**
 * Converts Mobipocket and Kindle books (MOBI, AZW3 and files with both) to a single HTML file with embedded pictures,
 * or to EPUB. We use our own reader: the npm packages write pictures to disk under names chosen by the file, trust its
 * numbers and have no limits.
 *
 * @see https://wiki.mobileread.com/wiki/MOBI and the KindleUnpack sources, which document the reverse-engineered format
 */
export const mobiEngine: Engine = {
  name: "mobi",
  version: async () => process.version,
  convert: async ({ input, output, from, to }) => {
    if ((from !== "mobi" && from !== "azw3") || (to !== "html" && to !== "epub")) {
      throw new TypeError(`mobi cannot convert ${from} to ${to}.`);
    }
    const { html, warnings } = htmlOfBook(await readInput(input, { max: MOBI_BYTES_MAX, name: "book" }));
    if (to === "epub") {
      return { warnings: [...warnings, ...(await writeEpub(output, cleanTree(parseHtml(html))))] };
    }
    await writeFile(output, html, { flag: "wx" });
    return { warnings };
  },
};
