import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { converterPool } from "../../../functions/engines/core/run.ts";
import { codeOf } from "../support/convert.ts";
import { childrenOf } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";
import { isInstalled } from "../support/task.ts";

/** Markup that would take unlimited time or memory, run through converter processes. */

const scratch = scratchFolder();
const pool = converterPool({
  size: 2,
  entry: join(import.meta.dirname, "../../../functions/engines/core/converter.ts"),
});
afterAll(() => pool.stop());

/** The time limit in milliseconds; conversions that exceed it are killed with their processes. */
const LIMITS = { timeoutMs: 8_000 };

const run = (from: FormatId, text: string) => {
  const folder = scratch.fresh();
  mkdirSync(folder);
  const steps = [{ engine: "pandoc", from, to: "rst", options: [] }] as const;
  return pool.run({ input: scratch.file(text), folder, steps, options: {} }, LIMITS);
};

const LETTERS = "abcdefghi";

/** @returns definitions that each expand to ten times the previous one */
const tenfold = (define: (name: string, before: string) => string): string =>
  Array.from(LETTERS.slice(1), (name, index) => define(name, LETTERS[index] ?? "")).join("");

const nested = (open: string, close: string, times: number): string => `${open.repeat(times)}x${close.repeat(times)}`;

const DOCBOOK = 'xmlns="http://docbook.org/ns/docbook"';

const endless: readonly (readonly [FormatId, string, string])[] = [
  [
    "tex",
    "exponential macros",
    `\\documentclass{a}\\newcommand{\\a}{xxxxxxxxxx}${tenfold((name, before) => `\\newcommand{\\${name}}{${`\\${before} `.repeat(10)}}`)}\\begin{document}\\i\\end{document}`,
  ],
  ["tex", "a macro that calls itself", "\\documentclass{a}\\def\\a{\\a\\a}\\begin{document}\\a\\end{document}"],
  [
    "tex",
    "nested lists",
    `\\documentclass{a}\\begin{document}${nested("\\begin{itemize}\\item ", "\\end{itemize}", 2_000)}\\end{document}`,
  ],
  ["md", "nested quotes", `${"> ".repeat(5_000)}x`],
  [
    "md",
    "exponential aliases",
    `---\na: &a [${"x,".repeat(9)}x]\n${tenfold((name, before) => `${name}: &${name} [${`*${before},`.repeat(9)}*${before}]\n`)}title: *i\n---\nx`,
  ],
  ["docbook", "nested paragraphs", `<article ${DOCBOOK}>${nested("<para>", "</para>", 50_000)}</article>`],
  [
    "docbook",
    "exponential entities",
    `<!DOCTYPE article [<!ENTITY a "lololololol">${tenfold((name, before) => `<!ENTITY ${name} "${`&${before};`.repeat(10)}">`)}]><article ${DOCBOOK}><para>&i;</para></article>`,
  ],
  ["textile", "nested marks", `${"*_".repeat(2_000)} Words`],
  ["ipynb", "nested lists", `{"cells":${nested("[", "]", 100_000).replace("x", "")}}`],
];

describe.skipIf(!isInstalled("pandoc"))("hostile markup", () => {
  test.each(endless)("%s: %s is rejected, or killed with its program", async (from, _, text) => {
    const ended = ["unsupported_feature", "source_corrupt", "out_of_memory", "timed_out"];
    expect(ended).toContain(await codeOf(run(from, text)));
  });

  test.each([
    ["md", `${"[".repeat(20_000)}Words`],
    ["md", `${"*a **a ".repeat(5_000)}Words`],
    ["md", `${"<b>".repeat(2_000)}Words`],
  ] as const)("%s: unclosed marks are text", async (from, text) => {
    await expect(run(from, text)).resolves.toMatchObject({ bundled: false });
  });

  test("the converter then accepts the next document, and no processes remain", async () => {
    await expect(run("rst", "Words\n=====\n")).resolves.toMatchObject({ bundled: false });
    const left = childrenOf().flatMap((converter) => childrenOf(converter));
    expect(left).toEqual([]);
  });
});
