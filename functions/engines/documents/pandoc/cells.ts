import { isNode, type Json, nodeOf } from "./tree.ts";
import { listOf, textAt } from "./walk.ts";

/** Languages whose code runs in notebooks. */
const RUN: ReadonlySet<string> = new Set(["python", "python3", "ipython", "py", "r", "julia"]);

/** @returns the blocks, with each piece of code that a notebook runs in a separate cell */
export const withCells = (blocks: readonly Json[]): Json[] =>
  blocks.map((block) => (isRun(block) ? nodeOf("Div", [["", ["cell", "code"], []], [block]]) : block));

const isRun = (block: Json): boolean =>
  isNode(block) && block.t === "CodeBlock" && RUN.has(textAt(listOf(listOf(block.c)[0])[1], 0).toLowerCase());
