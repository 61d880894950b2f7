import type { ListMark } from "../layout/model.ts";
import { escapeXml } from "../write/xml.ts";
import { val, w } from "./elements.ts";

/** The numbering definitions of a document: Word counts, and prints the marks of the source. */
export interface Numbering {
  /** @returns the numbering instance and level of the next list item */
  refer(mark: ListMark): { readonly instance: number; readonly level: number };
  xml(): string;
}

const LEVELS = 9;
/** Word's limit of numbering instances; further items are in the last list. */
const INSTANCES_MAX = 2_000;

interface Pattern {
  readonly format: string;
  /** Text of the mark, with `%` and the level. */
  readonly text: string;
  readonly number: number | undefined;
}

interface Definition {
  readonly levels: (Pattern | undefined)[];
}

interface Instance {
  readonly definition: number;
  readonly starts: readonly (number | undefined)[];
}

export const numbering = (): Numbering => {
  const definitions: Definition[] = [];
  const instances: Instance[] = [];
  let counts: (number | undefined)[] = [];
  /** Instances of one definition continue each other's numbers, so each says where it starts. */
  const begin = (definition: number, level: number, number: number | undefined): void => {
    if (instances.length < INSTANCES_MAX) {
      instances.push({ definition, starts: number === undefined ? [] : [...counts.slice(0, level), number] });
    }
    counts = [];
  };
  const refer: Numbering["refer"] = (mark) => {
    const level = Math.min(LEVELS - 1, Math.max(0, mark.depth));
    const pattern = patternOf(mark, level);
    const current = instances.at(-1)?.definition;
    const known = [current, ...definitions.keys()].find(
      (index) => index !== undefined && isSame(definitions[index]?.levels[level], pattern, index === current),
    );
    if (known === undefined) {
      definitions.push({ levels: [] });
    }
    const definition = known ?? definitions.length - 1;
    const levels = definitions[definition]?.levels ?? [];
    levels[level] ??= pattern;
    const { number } = pattern;
    if (definition !== current || (number !== undefined && number !== (counts[level] ?? 0) + 1)) {
      begin(definition, level, number);
    }
    counts[level] = number;
    counts.length = level + 1;
    return { instance: instances.length, level };
  };
  return { refer, xml: () => definitions.map(definitionXml).join("") + instances.map(instanceXml).join("") };
};

/** @param free whether a level that the definition does not have yet may get the pattern */
const isSame = (known: Pattern | undefined, { format, text }: Pattern, free: boolean): boolean =>
  known === undefined ? free : known.format === format && known.text === text;

const ROMAN = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;

/** @returns how Word writes the mark: numbers by a format, everything else as it is printed */
const patternOf = ({ mark, ordered, number }: ListMark, level: number): Pattern => {
  const plain = mark.trim();
  const [, lead = "", digits = "", tail = ""] = /^(.*?)(\d+|\p{L}{1,7})([^\p{L}\d]*)$/u.exec(plain) ?? [];
  const format =
    ordered && number !== undefined && number >= 0 && number < 32_768 ? formatOf(digits, number) : undefined;
  return format === undefined
    ? { format: "bullet", text: bulletOf(plain), number: undefined }
    : { format, text: `${lead.replaceAll("%", "")}%${level + 1}${tail}`, number };
};

const formatOf = (digits: string, number: number): string | undefined => {
  if (/^\d+$/.test(digits)) {
    return digits.startsWith("0") && digits.length === 2 ? "decimalZero" : "decimal";
  }
  const lower = digits.toLowerCase();
  const place = digits === lower ? "lower" : "upper";
  if (ROMAN.test(lower) && (lower.length > 1 || lower.charCodeAt(0) - 96 !== number)) {
    return `${place}Roman`;
  }
  return lower.length === 1 && lower.charCodeAt(0) - 96 === number ? `${place}Letter` : undefined;
};

/** Bullets at the codes of Symbol and Wingdings. */
const BULLETS: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf06f": "o",
  "\uf0a8": "□",
  "\uf076": "❖",
};

const bulletOf = (mark: string): string =>
  [...mark]
    .map((sign) => BULLETS[sign] ?? (/\p{Co}/u.test(sign) ? "•" : sign))
    .join("")
    .slice(0, 30) || "•";

const definitionXml = ({ levels }: Definition, index: number): string => {
  const first = levels.find((level) => level !== undefined);
  const written = Array.from({ length: LEVELS }, (_, level) => {
    const { format, text } =
      levels[level] ?? (first?.format === "bullet" ? first : { format: "decimal", text: `%${level + 1}.` });
    return w(
      "lvl",
      { ilvl: level },
      val("start", 1),
      val("numFmt", format),
      val("lvlText", escapeXml(text)),
      val("lvlJc", "left"),
      w("pPr", {}, w("ind", { left: 720 + 360 * level, hanging: 360 })),
    );
  });
  return w("abstractNum", { abstractNumId: index }, val("multiLevelType", "hybridMultilevel"), ...written);
};

const instanceXml = ({ definition, starts }: Instance, index: number): string =>
  w(
    "num",
    { numId: index + 1 },
    val("abstractNumId", definition),
    ...starts.map((start, level) =>
      start === undefined ? "" : w("lvlOverride", { ilvl: level }, val("startOverride", start)),
    ),
  );
