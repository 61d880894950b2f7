import { writeFile } from "node:fs/promises";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { htmlOfBook } from "./epub/reading.ts";
import { writeEpub } from "./io/epub-writer.ts";
import { cleanTree } from "./io/html-clean.ts";
import { readHtml } from "./io/html-reader.ts";
import { parseHtml } from "./io/html-tree.ts";
import { readZip } from "./io/zip-reader.ts";

/** Electronic books: EPUB 2 and 3 as one HTML with its pictures, and HTML as EPUB 3 with chapters and contents. */
export const epubEngine: Engine = {
  name: "epub",
  version: async () => process.version,
  convert: async (task) => {
    const convert = converters[`${task.from} ${task.to}`];
    if (convert === undefined) {
      throw new TypeError(`epub does not turn ${task.from} into ${task.to}.`);
    }
    return { warnings: await convert(task) };
  },
};

const read = async ({ input, output }: EngineTask): Promise<readonly Warning[]> => {
  const { html, warnings } = await readZip(input, htmlOfBook);
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
