import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

/** Text formats, whose encoding can be specified. */
const MARKUPS = ["rst", "tex", "org", "mediawiki", "dokuwiki", "textile", "asciidoc"] as const satisfies FormatId[];
const PUBLISHED = ["jats", "docbook", "opml", "man", "ipynb"] as const satisfies FormatId[];
const TEXTS = [...MARKUPS, ...PUBLISHED] as const;

/**
 * The options for reading: Word documents are not text and have no encoding. OpenDocument text is converted through
 * Word, because pandoc 2.17 loses the header rows of its tables.
 */
const sources: readonly { readonly from: readonly FormatId[]; readonly options: readonly OptionName[] }[] = [
  { from: ["md"], options: ["encoding", "markdown"] },
  { from: [...TEXTS, "html"], options: ["encoding"] },
  { from: ["docx"], options: [] },
];

const READ: readonly FormatId[] = sources.flatMap(({ from }) => from);

interface Target {
  readonly to: FormatId;
  /** The sources that are converted to it, never the format itself. */
  readonly from: readonly FormatId[];
  /** Measured milliseconds for ten pages: twice pandoc's startup, reading, writing. */
  readonly costMs: number;
  readonly options?: readonly OptionName[];
  readonly preferred?: true;
  readonly last?: true;
  readonly first?: true;
}

const WRITTEN_BY_HAND: readonly FormatId[] = ["md", ...MARKUPS, "ipynb"];

const targets: readonly Target[] = [
  { to: "html", from: [...TEXTS, "docx"], costMs: 180 },
  { to: "md", from: [...TEXTS, "docx"], costMs: 180, options: ["markdown"] },
  // Preferred over the route through HTML, which has no footnotes and no formulas.
  { to: "docx", from: ["md"], costMs: 250, preferred: true },
  { to: "docx", from: TEXTS, costMs: 250 },
  { to: "odt", from: ["md", ...TEXTS], costMs: 250 },
  { to: "rtf", from: ["md", ...TEXTS], costMs: 200 },
  { to: "pptx", from: WRITTEN_BY_HAND, costMs: 250, last: true },
  { to: "fb2", from: [...READ], costMs: 200, last: true },
  ...(["tex", "rst", "asciidoc", "org", "mediawiki"] as const).map(
    (to): Target => ({ to, from: READ, costMs: 180, last: true }),
  ),
  // First steps only, because nobody converts workbooks or messages to these formats.
  ...(["dokuwiki", "textile", "jats", "docbook"] as const).map(
    (to): Target => ({ to, from: READ, costMs: 180, last: true, first: true }),
  ),
  { to: "ipynb", from: ["md", ...MARKUPS], costMs: 180, last: true },
  { to: "opml", from: ["md", ...MARKUPS, "docx"], costMs: 180, last: true },
  { to: "man", from: ["md", ...MARKUPS, "docbook"], costMs: 180, last: true },
];

/** Conversions of pandoc. */
export const pandocConversions: readonly ConversionRow[] = targets.flatMap(({ to, from, options = [], ...target }) =>
  sources.map(
    (source): ConversionRow => ({
      ...target,
      from: source.from.filter((format) => format !== to && from.includes(format)),
      to,
      fidelity: "lossy",
      options: [...source.options, ...options],
    }),
  ),
);
