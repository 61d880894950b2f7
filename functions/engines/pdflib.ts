import { createRequire } from "node:module";
import { JobError } from "../domain/errors.ts";
import type { Engine } from "./engine.ts";
import { makePaper } from "./pdflib/paper.ts";

/** PDF by pdf-lib: pictures become pages, and the pages of PDFs are taken, put together and taken apart. */
export const pdflibEngine: Engine = {
  name: "pdflib",
  version: async () => createRequire(import.meta.url)("@cantoo/pdf-lib/package.json").version,
  convert: async (task) => {
    if (task.to !== "pdf") {
      throw new JobError("engine_failed", `pdflib does not write ${task.to}.`);
    }
    return makePaper(task);
  },
};
