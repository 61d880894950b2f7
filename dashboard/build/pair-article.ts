import type { FormatPair } from "../../functions/domain/formats/usual-targets.ts";
import { ORIGIN_PLACEHOLDER } from "../../functions/domain/site/page-files.ts";
import { pairPath, type SiteLanguage } from "../../functions/domain/site/site-paths.ts";
import { oneCallSamples } from "../pages/convert/code/one-call-samples.ts";
import type { OptionRow } from "../pages/formats/option-rows.ts";
import { de } from "../text/de.ts";
import { en } from "../text/en.ts";
import { escaped } from "./html.ts";
import { nameOf, type PairFacts } from "./pair-facts.ts";
import { siteTexts } from "./text.ts";

const appTexts = { en, de };

/** @returns the HTML below the drop zone of a conversion's page. The app reads the heading and the target from it */
export const pairArticle = (facts: PairFacts, language: SiteLanguage): string => {
  const texts = siteTexts[language];
  const names = [facts.source.short, facts.target.short] as const;
  const data = { target: facts.target.id, heading: texts.heading(...names), lead: texts.lead(...names) };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
  return [
    `<article id="pair" hidden${attributes.join("")}>`,
    section(texts.result, resultOf(facts, language)),
    ...(facts.options.length > 0 ? [section(texts.options, optionsOf(facts.options, language))] : []),
    section(texts.code, codeOf(facts, texts.codeLead)),
    section(texts.privacy, paragraph(texts.privacyText)),
    ...(facts.others.length > 0 ? [section(texts.others(names[0]), linksTo(facts.others, language))] : []),
    "</article>",
  ].join("\n");
};

const section = (title: string, content: string): string =>
  `<section class="card"><h2>${escaped(title)}</h2>\n${content}</section>`;

const paragraph = (text: string): string => `<p>${escaped(text)}</p>\n`;

const resultOf = ({ source, target, fidelity, drops, merges, bytesMax }: PairFacts, language: SiteLanguage): string => {
  const texts = siteTexts[language];
  const { formats } = appTexts[language];
  const lost = drops.map((trait) => formats.traits[trait] ?? trait);
  const list = new Intl.ListFormat(language).format(lost);
  const [unit, unitBytes] = bytesMax >= 1_000_000_000 ? ["gigabyte", 1_000_000_000] : ["megabyte", 1_000_000];
  const size = new Intl.NumberFormat(language, { style: "unit", unit }).format(bytesMax / unitBytes);
  return [
    `${texts.formats(source.name, target.name)} ${formats.fidelityHint[fidelity]}`,
    lost.length === 0 ? texts.keepsAll : texts.drops(list),
    `${texts.bytesMax(size)}${merges ? ` ${texts.merges}` : ""}`,
  ]
    .map(paragraph)
    .join("");
};

const optionsOf = (rows: readonly OptionRow[], language: SiteLanguage): string => {
  const texts = siteTexts[language];
  const head = [texts.option, texts.name, texts.allowed, texts.initial, texts.hint];
  return [
    paragraph(texts.optionsLead),
    `<div class="stacked"><table><thead><tr>${head.map((name) => `<th scope="col">${escaped(name)}</th>`).join("")}</tr></thead>`,
    `<tbody>${rows.map((row) => optionRow(row, language)).join("\n")}</tbody></table></div>`,
  ].join("\n");
};

const optionRow = (
  { name, words, kind, min, max, initial, description }: OptionRow,
  language: SiteLanguage,
): string => {
  const { options, formats } = appTexts[language];
  const text = options.names[name];
  const numbers = new Intl.NumberFormat(language);
  const range =
    min === undefined || max === undefined ? undefined : formats.range(numbers.format(min), numbers.format(max));
  const allowed =
    words.length > 0 ? `<span>${words.map(code).join(" ")}</span>` : escaped(range ?? formats.kinds[kind]);
  const standard = initial === undefined ? escaped(siteTexts[language].notSet) : code(initial);
  const cells = [code(name), allowed, standard, escaped(text?.hint ?? description)];
  const texts = siteTexts[language];
  const labels = [texts.name, texts.allowed, texts.initial, texts.hint].map(escaped);
  const data = cells.map((cell, index) => `<td data-label="${labels[index]}">${cell}</td>`);
  return `<tr><th scope="row">${escaped(text?.title ?? name)}</th>${data.join("")}</tr>`;
};

const code = (text: string): string => `<code>${escaped(text)}</code>`;

const codeOf = ({ source, target }: PairFacts, lead: string): string => {
  const samples = oneCallSamples({
    address: ORIGIN_PLACEHOLDER,
    file: `file.${source.short.toLowerCase()}`,
    target: target.id,
    result: `file.${target.short.toLowerCase()}`,
  });
  const shown = samples.map(
    ({ label, code: text }) => `<h3>${label}</h3><pre tabindex="0"><code>${withOrigin(escaped(text))}</code></pre>`,
  );
  return `${paragraph(lead)}${shown.join("\n")}`;
};

/** The app fills the element with the address of the page. */
const withOrigin = (html: string): string =>
  html.replaceAll(ORIGIN_PLACEHOLDER, `<span data-origin>${ORIGIN_PLACEHOLDER}</span>`);

const linksTo = (pairs: readonly FormatPair[], language: SiteLanguage): string =>
  `<ul>${pairs
    .map((pair) => {
      const [source, target] = pair.map((id) => nameOf(id).short);
      const label = siteTexts[language].heading(source ?? "", target ?? "");
      return `<li><a href="${pairPath(pair, language)}">${escaped(label)}</a></li>`;
    })
    .join("")}</ul>`;
