/** A part of a line of Markdown. */
export type Inline =
  | string
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis"; readonly children: readonly Inline[] }
  | InlineLink
  | { readonly type: "break" };

export interface InlineLink {
  readonly type: "link";
  readonly href: string;
  readonly children: readonly Inline[];
}

/** Emphasis and links in each other. Deeper ones are text. */
const DEPTH_MAX = 6;

/** The first alternative that matches at a position wins: code before emphasis, since nothing in code is formatted. */
const PARTS = new RegExp(
  [
    "\\\\(?<escaped>[!-/:-@\\[-`{-~])",
    "``(?<code2>[^\\n]+?)``|`(?<code>[^`]+)`",
    "!\\[(?<picture>[^\\[\\]]*)\\]\\([^()\\s]*\\)",
    '\\[(?<label>[^\\[\\]]+)\\]\\(<?(?<target>[^()\\s<>]*)>?(?:\\s+"[^"]*")?\\)',
    "<(?<address>https?://[^\\s<>]+|mailto:[^\\s<>]+|[^\\s<>@]+@[^\\s<>@]+)>",
    "(?<bare>https?://[^\\s<>()`*]*[^\\s<>()`*.,;:!?\"'])",
    "\\*\\*(?<strong>(?!\\s)(?:[^*]|\\*(?!\\*))+)\\*\\*",
    "\\*(?<emphasis>(?!\\s)[^*]+)\\*",
    "(?<![\\p{L}\\p{N}_])_(?<emphasis2>(?!\\s)[^_]+)_(?![\\p{L}\\p{N}_])",
    "(?<gap> {2,}|\\\\)\\n",
  ].join("|"),
  "gu",
);

type Groups = Readonly<Record<string, string | undefined>>;

/** @returns the parts of a text */
export const parseInline = (text: string, depth = 0): readonly Inline[] => {
  if (depth > DEPTH_MAX) {
    return [text];
  }
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(PARTS)) {
    parts.push(text.slice(at, match.index), partOf(match.groups ?? {}, depth + 1));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)].filter((part) => part !== "");
};

const partOf = (groups: Groups, depth: number): Inline => {
  const { escaped, code, code2, picture, label, target = "", address, bare, strong, emphasis, emphasis2 } = groups;
  const code12 = code ?? code2;
  if (code12 !== undefined) {
    return { type: "code", text: code12.replace(/^ (?=.*\S)(.*) $/, "$1").replaceAll("\n", " ") };
  }
  const url = address ?? bare;
  if (url !== undefined) {
    return linkTo(/^(?:https?|mailto):/.test(url) ? url : `mailto:${url}`, [url.replace(/^mailto:/, "")]);
  }
  if (label !== undefined) {
    return linkTo(target, parseInline(label, depth));
  }
  if (strong !== undefined) {
    return { type: "strong", children: parseInline(strong, depth) };
  }
  const emphasized = emphasis ?? emphasis2;
  if (emphasized !== undefined) {
    return { type: "emphasis", children: parseInline(emphasized, depth) };
  }
  return escaped ?? picture ?? { type: "break" };
};

/** Only addresses that cannot run a script: pages, mail, telephone, and paths. Others are shown as their text. */
const SAFE = /^(?:https?:\/\/|mailto:|tel:|#|\/(?!\/)|[\w-]+\.md(?:#|$))/i;

const linkTo = (href: string, children: readonly Inline[]): Inline =>
  SAFE.test(href) ? { type: "link", href, children } : { type: "strong", children };

/** @returns the text without its formatting */
export const plainText = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (typeof part === "string") {
        return part;
      }
      if (part.type === "code") {
        return part.text;
      }
      return part.type === "break" ? " " : plainText(part.children);
    })
    .join("");
