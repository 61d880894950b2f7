/** Front matter fields that are kept; all other fields are removed because they are not text. */
const FIELDS = ["title", "lang", "author", "description", "keywords", "date"] as const;

/** The fields of the front matter. */
export type Fields = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

const BLOCK = /^\ufeff?---[ \t]*\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Separates the front matter from the text. Only plain `name: value` lines are read: structured values are meant for
 * programs.
 */
export const frontMatter = (markdown: string): { readonly text: string; readonly fields: Fields } => {
  const [block, inside = ""] = BLOCK.exec(markdown) ?? [];
  const lines = inside.split("\n").filter((line) => line.trim() !== "");
  // Two horizontal rules with text between them are not front matter.
  if (block === undefined || !lines.every((line) => /^(?:[\w.-]+\s*:|\s|#|-\s)/.test(line))) {
    return { text: markdown.replace(/^\ufeff/, ""), fields: {} };
  }
  const fields = lines.flatMap((line) => {
    const [, name = "", value = ""] = /^([a-z]+)\s*:\s*(\S.*)$/i.exec(line) ?? [];
    const known = FIELDS.find((field) => field === name.toLowerCase() || (field === "lang" && name === "language"));
    return known === undefined ? [] : [[known, value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return { text: markdown.slice(block.length), fields: Object.fromEntries(fields) };
};
