import { join } from "node:path";
import type { Engine } from "../core/engine.ts";
import { finish } from "./pandoc/finish.ts";
import { gateOf } from "./pandoc/gate.ts";
import { runPandoc } from "./pandoc/program.ts";
import { sourceOf } from "./pandoc/source.ts";
import { readDocument, writeDocument } from "./pandoc/tree.ts";
import { writerOf } from "./pandoc/writers.ts";

/**
 * Lightweight markup languages and publishing formats, converted by pandoc. Untrusted input is read in pandoc's
 * sandbox, which opens no other files and no connections. The result passes our own gate before it is written.
 */
export const pandocEngine: Engine = {
  name: "pandoc",
  version: async () => {
    const { stdout } = await runPandoc({ arguments: ["--version"], folder: "/", timeoutMs: 10_000 });
    return /^pandoc\S*\s+(\d\S*)/.exec(stdout)?.[1] ?? "unknown";
  },
  convert: async (task) => {
    const writer = writerOf(task.to, task.options);
    const source = await sourceOf(task);
    const read = await readDocument(task.folder, source);
    task.progress(0.4);
    const gated = await gateOf(read.document, { folder: task.folder, source, writer });
    task.progress(0.5);
    const path = join(task.folder, "written");
    await writeDocument(gated.document, { folder: task.folder, path, writer });
    const finished = await finish({ path, output: task.output, writer, source, gated });
    return { warnings: [...source.warnings, ...read.warnings, ...gated.warnings, ...finished] };
  },
};
