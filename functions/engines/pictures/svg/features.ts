import { decodeText } from "../../data/text/text.ts";

/** What librsvg leaves out of a drawing, or draws differently than a browser does, by the name for the client. */
const FEATURES: readonly (readonly [name: string, found: (drawing: string) => boolean])[] = [
  [
    "HTML (`foreignObject`)",
    (drawing) =>
      /<(?:[\w.-]+:)?foreignObject\b(?!(?:[^<>"']|"[^"<]*"|'[^'<]*')*\brequiredExtensions\s*=)/.test(drawing),
  ],
  ["text on a path (`textPath`)", (drawing) => /<(?:[\w.-]+:)?textPath\b/.test(drawing)],
  ["fonts in the file (`@font-face`)", (drawing) => /@font-face\b/i.test(drawing)],
  ["emoji", (drawing) => EMOJI.test(drawing) || hasEmojiReference(drawing)],
];

/** Characters that are drawn in color by default, or by request. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;

const hasEmojiReference = (drawing: string): boolean => {
  for (const [, hex, decimal = ""] of drawing.matchAll(/&#(?:x([\da-f]{4,6})|(\d{4,7}));/gi)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code <= 0x10_ff_ff && EMOJI.test(String.fromCodePoint(code))) {
      return true;
    }
  }
  return false;
};

/** Not drawn: comments and descriptions. Their patterns end at the next end mark, so each is scanned once. */
const NOT_DRAWN = /<!--[\s\S]*?-->|<(title|desc|metadata)\b[^<>]*>[^<]*<\/\1\s*>/g;

/**
 * Illustrator writes an empty `foreignObject` with `requiredExtensions` into every file; it is not drawn anywhere.
 *
 * @returns what only a browser draws, as words for a warning; empty when librsvg is sufficient
 */
export const browserFeatures = (bytes: Uint8Array): string[] => {
  const drawing = decodeText(bytes).text.replace(NOT_DRAWN, "");
  return FEATURES.flatMap(([name, found]) => (found(drawing) ? [name] : []));
};
