/**
 * Removes everything from styles that reaches outside the document, runs or hides code. Only plain declarations are
 * kept.
 */

/** A name by which a drawing program or a browser may load or run something. */
const REACHES_OUT = /url|image|src|expression|element|attr|behavior|binding|filter|\\|@|javascript|[<>{}]/i;

/** Property names: letters and hyphens, including custom properties. */
const DECLARATION = /^\s*(-{0,2}[a-z][\w-]{0,60})\s*:\s*([^;]{1,400})$/i;

/** @returns the declarations of a `style` attribute that are kept */
export const cleanDeclarations = (style: string): string =>
  withoutComments(style)
    .split(";")
    .flatMap((declaration) => {
      const [, name = "", value = ""] = DECLARATION.exec(declaration) ?? [];
      const stays = name !== "" && !REACHES_OUT.test(`${name} ${value}`) && areQuotesPaired(value);
      return stays ? [`${name}: ${value.trim()}`] : [];
    })
    .join("; ");

const areQuotesPaired = (value: string): boolean =>
  (value.match(/"/g)?.length ?? 0) % 2 === 0 && (value.match(/'/g)?.length ?? 0) % 2 === 0;

/** @returns whether a style requests something from the network */
export const reachesOut = (style: string): boolean => /@import|url\([\s"']{0,20}(?:https?:)?\/\//i.test(style);

/** Maximum length in characters of all style sheets of a document; a book or a newsletter has under 100,000. */
const SHEET_CHARACTERS_MAX = 1_000_000;

/** @returns a style sheet with only plain declarations; of the at-rules, `@media` and `@supports` keep their content */
export const cleanSheet = (sheet: string): string => {
  const text = withoutComments(sheet.slice(0, SHEET_CHARACTERS_MAX)).replace(/<!--|-->/g, "");
  const lines: string[] = [];
  let written = 0;
  let hidden = 0;
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/[{};]/g)) {
    const piece = text.slice(from, index).trim();
    from = index + 1;
    if (mark === "{") {
      const stays = hidden === 0 && written < NESTED_BLOCKS_MAX && isSelector(piece);
      hidden += stays ? 0 : 1;
      written += stays ? 1 : 0;
      lines.push(...(stays ? [`${piece} {`] : []));
      continue;
    }
    const declaration = written > 0 && hidden === 0 ? cleanDeclarations(piece) : "";
    lines.push(...(declaration === "" ? [] : [`${declaration};`]));
    if (mark === "}" && hidden > 0) {
      hidden -= 1;
    } else if (mark === "}" && written > 0) {
      written -= 1;
      lines.push("}");
    }
  }
  return [...lines, ..."}".repeat(written)].join("\n");
};

const NESTED_BLOCKS_MAX = 4;

/** A selector may have combinators such as `>`, but nothing that opens a tag, and no at-rule except these two. */
const SELECTOR = /^(?:@(?:media|supports)\b)?[^<@\\]{1,2000}$/i;

const isSelector = (piece: string): boolean => SELECTOR.test(piece) && !/url\(/i.test(piece) && areQuotesPaired(piece);

const withoutComments = (style: string): string => style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ");
