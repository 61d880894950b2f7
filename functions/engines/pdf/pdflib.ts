import { JobError } from "../../domain/errors.ts";
import { type Engine, packageVersion } from "../core/engine.ts";
import { describePdf } from "./pdflib/describe.ts";
import { makePaper } from "./pdflib/paper.ts";

/** PDF by pdf-lib: turns pictures into pages, and extracts, merges, splits and describes PDFs. */
export const pdflibEngine: Engine = {
  name: "pdflib",
  version: async () => packageVersion("@cantoo/pdf-lib"),
  convert: async (task) => {
    if (task.to === "json") {
      return describePdf(task);
    }
    if (task.to !== "pdf") {
      throw new JobError("engine_failed", `pdflib does not write ${task.to}.`);
    }
    return makePaper(task);
  },
};
