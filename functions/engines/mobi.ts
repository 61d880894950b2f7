import { readFile, stat, writeFile } from "node:fs/promises";
import { MOBI_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import type { Engine } from "./engine.ts";
import { writeEpub } from "./io/epub-writer.ts";
import { cleanTree } from "./io/html-clean.ts";
import { parseHtml } from "./io/html-tree.ts";
import { htmlOfBook } from "./mobi/book.ts";

/**
 * Mobipocket and Kindle books (MOBI, AZW3, and files that hold both) as one HTML with its pictures, and as EPUB. The reader is our own:
 * the ones on npm write pictures to disk under names that the file chooses, believe its numbers and have no limits.
 *
 * @see https://wiki.mobileread.com/wiki/MOBI and the sources of KindleUnpack, which document what was found out
 */
export const mobiEngine: Engine = {
  name: "mobi",
  version: async () => process.version,
  convert: async ({ input, output, from, to }) => {
    if ((from !== "mobi" && from !== "azw3") || (to !== "html" && to !== "epub")) {
      throw new TypeError(`mobi does not turn ${from} into ${to}.`);
    }
    const { size } = await stat(input);
    if (size > MOBI_BYTES_MAX) {
      throw new JobError("output_too_large", `The book has ${size} bytes; at most ${MOBI_BYTES_MAX} are allowed here.`);
    }
    const { html, warnings } = htmlOfBook(await readFile(input));
    if (to === "epub") {
      return { warnings: [...warnings, ...(await writeEpub(output, cleanTree(parseHtml(html))))] };
    }
    await writeFile(output, html, { flag: "wx" });
    return { warnings };
  },
};
