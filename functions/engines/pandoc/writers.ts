import type { FormatId } from "../../domain/formats.ts";
import type { Options } from "../../domain/options.ts";

/** Where pictures go: in files that the writer takes in, as `data:` URIs, or nowhere. */
export type PicturePlace = "files" | "data" | "none";

/** How pandoc writes a format. */
export interface Writer {
  readonly format: FormatId;
  readonly arguments: readonly string[];
  readonly pictures: PicturePlace;
  /** Pictures that stay as references: none, those beside the document, or all. Who reads the text decides about them. */
  readonly references: "none" | "relative" | "all";
  /** Whether the title is to stand in the text, because pandoc writes none above it. */
  readonly titleInText: boolean;
  /** Whether the only large heading, when the text begins with it, is the title to the target. */
  readonly headed: boolean;
  /** The language of markup that may stay as it is, by pandoc's names. */
  readonly raw: readonly string[];
}

interface Row {
  readonly to: string;
  readonly pictures: PicturePlace;
  readonly references?: "relative" | "all";
  readonly titleInText?: true;
  readonly headed?: true;
  readonly raw?: readonly string[];
  readonly arguments?: readonly string[];
}

const STANDALONE = "--standalone";

/** Formulas stay between dollars, as GitHub and most others read them. */
const MARKDOWNS = {
  gfm: "gfm+tex_math_dollars",
  commonmark: "commonmark",
  pandoc: "markdown",
  multimarkdown: "markdown_mmd",
  php_extra: "markdown_phpextra",
} as const;

export type Dialect = keyof typeof MARKDOWNS;

const rows: Partial<Record<FormatId, Row>> = {
  html: { to: "html5", pictures: "files", references: "relative", titleInText: true, arguments: ["--mathml"] },
  md: { to: "markdown", pictures: "data", references: "all", titleInText: true },
  txt: { to: "plain", pictures: "none", titleInText: true },
  docx: { to: "docx", pictures: "files", arguments: [STANDALONE] },
  odt: { to: "odt", pictures: "files", arguments: [STANDALONE] },
  rtf: { to: "rtf", pictures: "files", arguments: [STANDALONE] },
  pptx: { to: "pptx", pictures: "files", arguments: [STANDALONE] },
  ipynb: { to: "ipynb", pictures: "files", titleInText: true, arguments: [STANDALONE] },
  fb2: { to: "fb2", headed: true, pictures: "data", arguments: [STANDALONE] },
  tex: {
    to: "latex",
    headed: true,
    pictures: "none",
    references: "all",
    raw: ["tex", "latex"],
    arguments: [STANDALONE],
  },
  rst: { to: "rst", headed: true, pictures: "data", references: "all", arguments: [STANDALONE] },
  asciidoc: { to: "asciidoc", headed: true, pictures: "data", references: "all", arguments: [STANDALONE] },
  org: { to: "org", headed: true, pictures: "none", references: "all", arguments: [STANDALONE] },
  mediawiki: { to: "mediawiki", pictures: "none", references: "all", titleInText: true },
  dokuwiki: { to: "dokuwiki", pictures: "none", references: "all", titleInText: true },
  textile: { to: "textile", pictures: "none", references: "all", titleInText: true },
  jats: { to: "jats_archiving", headed: true, pictures: "none", references: "all", arguments: [STANDALONE] },
  docbook: { to: "docbook5", headed: true, pictures: "none", references: "all", arguments: [STANDALONE] },
  opml: { to: "opml", pictures: "none", references: "all", arguments: [STANDALONE] },
  man: { to: "man", pictures: "none", arguments: [STANDALONE] },
};

/** Debian's pandoc finds the parts of these in its data files, which its sandbox does not open. */
const UNSANDBOXED: ReadonlySet<FormatId> = new Set(["docx", "odt", "pptx", "rtf", "ipynb"]);

/** Code is coloured where readers look at it, and plain where they write on. */
const OFFICE: ReadonlySet<FormatId> = new Set(["docx", "odt", "pptx"]);

/** @returns how the format is written; nothing in the arguments comes from a client but a word of a list */
export const writerOf = (format: FormatId, { markdown = "gfm" }: Options): Writer => {
  const row = rows[format];
  if (row === undefined) {
    throw new TypeError(`pandoc does not write ${format}.`);
  }
  const to = format === "md" ? MARKDOWNS[markdown] : row.to;
  return {
    format,
    arguments: [
      ...(UNSANDBOXED.has(format) ? [] : ["--sandbox"]),
      `--to=${to}`,
      "--wrap=preserve",
      ...(OFFICE.has(format) ? [] : ["--no-highlight"]),
      ...(row.arguments ?? []),
    ],
    pictures: row.pictures,
    references: row.references ?? "none",
    titleInText: row.titleInText ?? false,
    headed: row.headed ?? false,
    raw: row.raw ?? [],
  };
};
