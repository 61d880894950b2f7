import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { JobError } from "../domain/errors.ts";
import type { Engine } from "./engine.ts";
import { cleanHtml } from "./io/html.ts";
import { readZip } from "./io/zip-reader.ts";
import { htmlOfDocx } from "./mammoth/document.ts";
import { packageOf } from "./mammoth/package.ts";

/** Reads Word's documents: what they say and how it is ordered, without looks. */
export const mammothEngine: Engine = {
  name: "mammoth",
  version: async () => createRequire(import.meta.url)("mammoth/package.json").version,
  convert: async ({ input, output, from, to }) => {
    if (from !== "docx" || to !== "html") {
      throw new TypeError(`mammoth does not turn ${from} into ${to}.`);
    }
    const warnings = await readZip(input, async (zip) => {
      const file = await packageOf(zip);
      const { html, warnings: dropped } = await orCorrupt(htmlOfDocx(file));
      const clean = cleanHtml(html, { ...file.properties, directions: true });
      await writeFile(output, clean.html, { flag: "wx" });
      return [...file.warnings, ...dropped, ...clean.warnings];
    });
    return { warnings };
  },
};

/** What mammoth and its XML parser stumble over is the file's: they reach for nothing else. */
const orCorrupt = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof JobError) {
      throw error;
    }
    throw new JobError("source_corrupt", "The Word document is damaged.", { cause: error });
  }
};
