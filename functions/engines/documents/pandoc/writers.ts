import type { Options } from "../../../domain/conversions/options.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { rowFor } from "../../core/engine.ts";

/** How pictures are written: as files that the writer includes, as `data:` URIs, or not at all. */
export type PictureMode = "files" | "data" | "none";

/** How pandoc writes a format. */
export interface Writer {
  readonly format: FormatId;
  readonly arguments: readonly string[];
  readonly pictures: PictureMode;
  /**
   * Picture references that are kept: none, relative references, or all. The reader of the text decides whether to load
   * them.
   */
  readonly references: "none" | "relative" | "all";
  /** Whether to insert the title into the text, because pandoc does not write it. */
  readonly titleInText: boolean;
  /** Whether a text that begins with its only top-level heading uses it as the title. */
  readonly headed: boolean;
  /** Markup languages that are kept unchanged, by pandoc's names. */
  readonly raw: readonly string[];
}

interface Row {
  readonly to: string;
  readonly pictures: PictureMode;
  readonly references?: "relative" | "all";
  readonly titleInText?: true;
  readonly headed?: true;
  readonly raw?: readonly string[];
  readonly arguments?: readonly string[];
}

const STANDALONE = "--standalone";

/** Formulas are written between dollar signs, which GitHub and most others support. */
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

/** Debian's pandoc reads the templates of these formats from its data files, which its sandbox does not open. */
const UNSANDBOXED: ReadonlySet<FormatId> = new Set(["docx", "odt", "pptx", "rtf", "ipynb"]);

/** Code is highlighted in formats for reading, and plain in formats for editing. */
const OFFICE: ReadonlySet<FormatId> = new Set(["docx", "odt", "pptx"]);

/** @returns how the format is written; client options select from fixed lists and never become arguments directly */
export const writerOf = (format: FormatId, { markdown = "gfm" }: Options): Writer => {
  const row = rowFor(rows, format, "pandoc");
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
