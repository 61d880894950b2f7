import type { Engine } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { changePdf } from "./qpdf/change.ts";
import { extractImages } from "./qpdf/extract-images.ts";

/** Changes of a PDF that keep its content: pages, rotation, encryption, order of objects, resolution of images. */
export const qpdfEngine: Engine = {
  name: "qpdf",
  version: async () => {
    const { stdout } = await runProgram({
      program: "qpdf",
      arguments: ["--version"],
      folder: "/",
      timeoutMs: 10_000,
    });
    return /version (\S+)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: (task) => (task.to === "zip" ? extractImages(task) : changePdf(task)),
};
