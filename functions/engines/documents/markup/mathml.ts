import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Token } from "markdown-it";
import { serializeOuter } from "parse5";
import type { Warning } from "../../../domain/warning.ts";
import { type EngineTask, HelperNeeded } from "../../core/engine.ts";
import { attributeOf, elementsBelow, escapeText, type HtmlElement, isHtml, parseHtml } from "../html/tree.ts";
import { runPandoc } from "../pandoc/program.ts";
import { isDisplayed } from "./formulas.ts";

/** Maximum formulas of a document, and characters of all: a long textbook has 10,000 formulas of 40 characters. */
const FORMULAS_MAX = 20_000;
const ALL_CHARACTERS_MAX = 2_000_000;

const MS_MAX = 60_000;

/**
 * Sets the content of the formulas to MathML, by pandoc, which reads TeX; of others to their source as code. MathML has
 * its TeX as `alttext`, for writers of text.
 *
 * @throws HelperNeeded if only another lane has pandoc
 */
export const setFormulas = async (
  formulas: readonly Token[],
  { helper, folder }: Pick<EngineTask, "folder" | "helper">,
): Promise<Warning[]> => {
  if (formulas.length > 0 && helper === "elsewhere") {
    throw new HelperNeeded();
  }
  const characters = formulas.reduce((sum, { content }) => sum + content.length, 0);
  const isPossible = helper === "here" && formulas.length <= FORMULAS_MAX && characters <= ALL_CHARACTERS_MAX;
  const known = formulas.length > 0 && isPossible ? await byPandoc(formulas, folder) : new Map<number, string>();
  for (const [index, formula] of formulas.entries()) {
    formula.content = known.get(index) ?? sourceOf(formula);
    formula.type = formula.block ? "html_block" : "html_inline";
  }
  const left = formulas.length - known.size;
  const reason = helper === undefined ? "this server has no pandoc" : "their TeX is not known";
  return left === 0 ? [] : [{ code: "formulas_as_text", detail: `Formulas shown as TeX because ${reason}: ${left}.` }];
};

const sourceOf = (formula: Token): string => {
  const code = `<code class="math">${escapeText(formula.content)}</code>`;
  return formula.block ? `<p>${code}</p>\n` : code;
};

/** @returns the MathML of each formula that pandoc can read, by its index */
const byPandoc = async (formulas: readonly Token[], folder: string): Promise<Map<number, string>> => {
  const [input, output] = [join(folder, "formulas.native"), join(folder, "formulas.html")];
  const blocks = formulas.map(
    (formula, index) =>
      `Div ("f${index}",[],[]) [Plain [Math ${isDisplayed(formula) ? "Display" : "Inline"}Math ${haskellText(formula.content)}]]`,
  );
  await writeFile(input, `[${blocks.join("\n,")}]`);
  const { code, stderr } = await runPandoc({
    arguments: ["--sandbox", "--from=native", "--to=html5", "--mathml", "--wrap=none", `--output=${output}`, input],
    folder,
    timeoutMs: MS_MAX,
  });
  if (code !== 0) {
    throw new Error(`pandoc exited with code ${code}: ${stderr}`);
  }
  return new Map(
    elementsBelow(parseHtml(await readFile(output, "utf8")), "div").flatMap((div) => {
      const index = Number((attributeOf(div, "id") ?? "").slice(1));
      const [formula, math] = [formulas[index], elementsBelow(div, "math").find((element) => !isHtml(element))];
      return formula === undefined || math === undefined ? [] : [[index, mathText(math, formula)] as const];
    }),
  );
};

const mathText = (math: HtmlElement, formula: Token): string => {
  const display = isDisplayed(formula) ? [{ name: "display", value: "block" }] : [];
  math.attrs = [...display, { name: "alttext", value: formula.content }];
  const text = serializeOuter(math);
  return formula.block ? `<p>${text}</p>\n` : text;
};

/** @returns a text as a literal of Haskell (Haskell 2010 report, 2.6) */
const haskellText = (text: string): string =>
  `"${text.toWellFormed().replace(/["\\]|[^ -~]/gu, (letter) => (/["\\]/.test(letter) ? `\\${letter}` : `\\${letter.codePointAt(0)}\\&`))}"`;
