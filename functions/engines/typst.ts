import { readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SVG_BYTES_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { readHtml } from "./io/html-reader.ts";
import { readText } from "./io/text.ts";
import { type Compiled, compile } from "./typst/compiler.ts";
import { drawingToPdf } from "./typst/drawing.ts";
import { htmlToPdf } from "./typst/html.ts";
import { pageLayout } from "./typst/page.ts";
import { countLines, plainText } from "./typst/plain.ts";
import { checkTally } from "./typst/tally.ts";

/** PDF by Typst: drawings as shapes, plain text, and the content of HTML. It reads nothing but what it is handed. */
export const typstEngine: Engine = {
  name: "typst",
  version: async () => createRequire(import.meta.url)("@myriaddreamin/typst-ts-node-compiler/package.json").version,
  convert: async (task) => {
    const make = MAKERS[task.from];
    if (make === undefined || task.to !== "pdf") {
      throw new TypeError(`typst does not turn ${task.from} into ${task.to}.`);
    }
    const { bytes, warnings } = await make(task);
    await writeFile(task.output, bytes, { flag: "wx" });
    return { warnings };
  },
};

const drawing = async ({ input, options }: EngineTask): Promise<Compiled> => {
  const { size } = await stat(input);
  if (size > SVG_BYTES_MAX) {
    throw new JobError("unsupported_feature", `The SVG has ${size} bytes; at most ${SVG_BYTES_MAX} are drawn.`);
  }
  return drawingToPdf(await readFile(input), options);
};

const text = async ({ input, options }: EngineTask): Promise<Compiled> => {
  const { text: read } = await readText(input, options.encoding);
  checkTally({ characters: read.length, lines: countLines(read) });
  return compile(plainText(read, pageLayout(options)));
};

const html = async ({ input, options }: EngineTask): Promise<Compiled> => {
  const read = await readHtml(input, options.encoding);
  return htmlToPdf(read, options);
};

const MAKERS: Readonly<Record<string, (task: EngineTask) => Promise<Compiled>>> = { svg: drawing, txt: text, html };
