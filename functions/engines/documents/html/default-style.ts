/**
 * The style of documents without one: Markdown, most books, plain emails. It follows the light or dark mode of the
 * screen, and prints black on white.
 */
export const DEFAULT_RULES = `:root {
  color-scheme: light; --text: #1f2328; --ground: #fff; --soft: #57606a; --line: #d0d7de; --shade: #f6f8fa; --link: #0a58ca;
  --comment: #6a737d; --string: #0a6640; --number: #9a4a00; --keyword: #a6246f;
  color: var(--text); background: var(--ground);
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark; --text: #e6edf3; --ground: #0d1117; --soft: #9198a1; --line: #3d444d; --shade: #161b22; --link: #6ea8fe;
    --comment: #8b949e; --string: #7ee0a6; --number: #ffb77c; --keyword: #ff8fc7;
  }
}
body { font: 10.5pt/1.5 "Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, Helvetica, sans-serif; margin: 0; overflow-wrap: break-word; }
@media screen { body { font-size: 16px; max-width: 50em; margin: 0 auto; padding: 2em; } }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; font-weight: 600; margin: 1.4em 0 0.6em; }
h1 { font-size: 1.9em; } h2 { font-size: 1.5em; } h3 { font-size: 1.2em; } h4, h5, h6 { font-size: 1em; }
h1, h2 { padding-bottom: 0.25em; border-bottom: 1px solid var(--line); }
header > p { color: var(--soft); }
body > :first-child, body > :is(header, section):first-child > :first-child { margin-top: 0; }
p, ul, ol, dl, table, pre, blockquote, figure { margin: 0 0 0.9em; }
ul, ol { padding-inline-start: 1.8em; } li > p { margin: 0 0 0.4em; } li > ul, li > ol { margin: 0; }
li:has(> input[type="checkbox"]:first-child) { list-style: none; }
li > input[type="checkbox"]:first-child { margin: 0 0.4em 0 -1.5em; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
sup { line-height: 0; } img, svg { max-width: 100%; }
blockquote { padding-inline-start: 1em; border-inline-start: 0.25em solid var(--line); color: var(--soft); }
code, pre, kbd, samp { font-family: "DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", monospace; }
code, kbd, samp { font-size: 0.86em; background: var(--shade); padding: 0.1em 0.3em; border-radius: 3px; }
pre { font-size: 0.86em; line-height: 1.4; background: var(--shade); padding: 0.8em 1em; border-radius: 4px; }
@media screen { pre { overflow-x: auto; } }
pre code { font-size: 1em; background: none; padding: 0; }
.code-comment { color: var(--comment); font-style: italic; } .code-text { color: var(--string); }
.code-number { color: var(--number); } .code-keyword { color: var(--keyword); font-weight: 600; }
table { border-collapse: collapse; max-width: 100%; font: inherit; color: inherit; }
th, td { border: 1px solid var(--line); padding: 0.3em 0.7em; text-align: start; vertical-align: top; }
td a, td code, td pre { overflow-wrap: anywhere; }
th { font-weight: 600; background: var(--shade); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5em 0; }
figure { text-align: center; } figcaption { font-size: 0.9em; color: var(--soft); }
math[display="block"] { margin: 0.9em 0; }
.footnote { font-size: 0.9em; } :not(.footnote) + .footnote { border-top: 1px solid var(--line); padding-top: 0.9em; margin-top: 2em; }
@media print {
  h1, h2, h3, h4, h5, h6 { break-after: avoid; } img, svg, tr, figure { break-inside: avoid; }
  thead { display: table-header-group; } pre { white-space: pre-wrap; } p, li { orphans: 2; widows: 2; }
}`;

/** The default style as an element, as {@link documentOf} writes it. */
const DEFAULT_STYLE = `<style>\n${DEFAULT_RULES}\n</style>`;

/**
 * @returns the HTML without our default style: every writer has its own style for documents without one, and would take
 * ours for the document's
 */
export const withoutDefaultStyle = (html: string): string => html.replace(DEFAULT_STYLE, "");
