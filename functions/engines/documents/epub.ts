import { writeFile } from "node:fs/promises";
import type { Warning } from "../../domain/warning.ts";
import { readZip } from "../archives/zip/reader.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { htmlOfBook } from "./epub/reading.ts";
import { writeEpub } from "./epub/writer.ts";
import { cleanTree } from "./html/clean.ts";
import { readHtml } from "./html/reader.ts";
import { parseHtml } from "./html/tree.ts";

/**
 * E-books: converts EPUB 2 and 3 to a single HTML file with embedded pictures, and HTML to EPUB 3 with chapters and
 * contents.
 */
export const epubEngine: Engine = {
  name: "epub",
  version: async () => process.version,
  convert: async (task) => {
    const convert = converters[`${task.from} ${task.to}`];
    if (convert === undefined) {
      throw new TypeError(`epub cannot convert ${task.from} to ${task.to}.`);
    }
    return { warnings: await convert(task) };
  },
};

const read = async ({ input, output, from }: EngineTask): Promise<readonly Warning[]> => {
  const { html, warnings } = await readZip(input, htmlOfBook, from);
  await writeFile(output, html, { flag: "wx" });
  return warnings;
};

const write = async ({ input, output, options }: EngineTask): Promise<readonly Warning[]> => {
  const tree = cleanTree(parseHtml(await readHtml(input, options.encoding)));
  return [...tree.warnings, ...(await writeEpub(output, tree))];
};

const converters: Readonly<Record<string, (task: EngineTask) => Promise<readonly Warning[]>>> = {
  "epub html": read,
  "html epub": write,
};
