/** A number as a spreadsheet stores it. */
export interface PrintedValue {
  readonly value: number;
  /** Number format of the cell (ECMA-376-1:2016, 18.8.30). @default general */
  readonly format?: string | undefined;
}

/** A number and how it was printed. */
export interface PrintedNumber extends PrintedValue {
  /** Whether it has only digits: it may be an identifier. */
  readonly digits: number | undefined;
  /** Whether it is an integer in parentheses without grouping: a negative number, or a reference such as `(5)`. */
  readonly reference: boolean;
  /** Whether it may be several numbers: spaces group its digits, and the document has no decimal commas. */
  readonly spaced: boolean;
}

export type DecimalMark = "." | ",";

/** Every number with at most this many digits fits in a double. */
const DIGITS_MAX = 15;

const CODES =
  "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|BRL|MXN|ARS|CLP|COP|ZAR|TRY|RUB|UAH|KRW|SGD|" +
  "HKD|THB|MYR|IDR|PHP|VND|ILS|AED|SAR|EGP|PKR";
const SIGNS = "[$€£¥₹₩₽₺₴₪฿₫₱₦]|[A-Z]{1,3}\\$|zł|Kč|Ft|kr\\.?|Fr\\.?|Rs\\.?|Rp\\.?|RM";
const CURRENCY = `(?:${CODES}|${SIGNS})`;
const AMOUNT = new RegExp(
  `^(?<open>\\()?(?<sign>[-+])?(?<before>${CURRENCY})?(?<gap> )?(?<inner>-)?(?<number>[\\d.,'’ ]*\\d)(?<space> )?(?:(?<percent>%)|(?<after>${CURRENCY}))?(?<trailing>-)?(?<close>\\))?$`,
);

const BODIES: Readonly<Record<DecimalMark, RegExp>> = {
  ".": /^(?<whole>\d{1,3}(?<group>[,'’ ])(?:\d{2,3}\k<group>)*\d{3}|0|[1-9]\d*)?(?:\.(?<part>\d+))?$/,
  ",": /^(?<whole>\d{1,3}(?<group>[.'’ ])(?:\d{2,3}\k<group>)*\d{3}|0|[1-9]\d*)?(?:,(?<part>\d+))?$/,
};

/** Hyphens, dashes and, in Japanese tables, triangles that mean minus. Recognition often reads a minus as a dash. */
const MINUS = /^(\(?)[\u2010-\u2014\u2212\uff0d△▲](?=[\d.,]|\p{Sc})/u;

const SCIENTIFIC: Readonly<Record<DecimalMark, RegExp>> = {
  ".": /^-?(?<size>\d(?:\.(?<part>\d+))?)E[-+]\d{1,2}$/,
  ",": /^-?(?<size>\d(?:,(?<part>\d+))?)E[-+]\d{1,2}$/,
};

/** Texts that only make sense with one decimal mark; those with grouping and decimals decide. */
const SURE: readonly (readonly [RegExp, DecimalMark, number])[] = [
  [/\d,\d{3}\.\d/, ".", 10],
  [/\d\.\d{3},\d/, ",", 10],
  [/(?:^|[^\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d.,])/, ".", 10],
  [/(?:^|[^\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])/, ",", 10],
  [/(?:^|[^\d.,])\d+\.(?:\d{1,2}|\d{4,})(?![\d.,])/, ".", 1],
  [/(?:^|[^\d.,])\d+,(?:\d{1,2}|\d{4,})(?![\d.,])/, ",", 1],
];

/** @returns the decimal mark of the numbers among the texts; a point if they do not tell */
export const decimalMarkOf = (texts: readonly string[]): DecimalMark => {
  const weights = { ".": 0, ",": 0 };
  for (const text of texts) {
    const [, mark, weight] = SURE.find(([pattern]) => pattern.test(text)) ?? [];
    if (mark !== undefined) {
      weights[mark] += weight ?? 0;
    }
  }
  return weights[","] > weights["."] ? "," : ".";
};

/**
 * @param mark the decimal mark of the document
 * @returns the number that the complete text is; undefined if it is none, or has an unusual form: `007`, `1,23,4`
 */
export const printedNumber = (text: string, mark: DecimalMark): PrintedNumber | undefined => {
  const plain = text
    .trim()
    .replace(/[\u00a0\u2009\u202f]/g, " ")
    .replace(MINUS, "$1-");
  const found = AMOUNT.exec(plain)?.groups;
  const body = found && BODIES[mark].exec(found.number ?? "")?.groups;
  if (found === undefined || body === undefined || Boolean(found.open) !== Boolean(found.close)) {
    return scientific(plain, mark);
  }
  const { before, after, percent, sign, inner, trailing } = found;
  const signs = [sign, inner, trailing, found.open].filter(Boolean);
  const { whole = "", group, part = "" } = body;
  const spaced = group === " " && mark === "." && part === "" && !(before || after || percent);
  const digits = whole.replaceAll(/\D/g, "");
  if (signs.length > 1 || (before && after) || digits.length + part.length > DIGITS_MAX) {
    return undefined;
  }
  const isPlain = digits !== "" && !(group || part || before || after || percent);
  if (isPlain && sign === "+") {
    return undefined;
  }
  const isNegative = signs.length > 0 && sign !== "+";
  const size = Number(`${digits || "0"}${part && `.${part}`}${percent ? "e-2" : ""}`);
  return {
    value: isNegative ? -size : size,
    format: formatOf(found, { grouped: group !== undefined, decimals: part.length }),
    digits: isPlain && signs.length === 0 ? digits.length : undefined,
    reference: isPlain && found.open !== undefined,
    spaced,
  };
};

/** @returns the number of a text such as `5.39E-05` */
const scientific = (plain: string, mark: DecimalMark): PrintedNumber | undefined => {
  const { size, part = "" } = SCIENTIFIC[mark].exec(plain)?.groups ?? {};
  return size === undefined
    ? undefined
    : {
        value: Number(plain.replace(",", ".")),
        format: `0${part && `.${"0".repeat(part.length)}`}E+00`,
        digits: undefined,
        reference: false,
        spaced: false,
      };
};

const formatOf = (
  { before, gap, space, percent, after, sign, trailing, open }: Readonly<Record<string, string | undefined>>,
  { grouped, decimals }: { grouped: boolean; decimals: number },
): string | undefined => {
  const digits = `${grouped ? "#,##0" : "0"}${decimals > 0 ? `.${"0".repeat(decimals)}` : ""}`;
  const front = before ? `"${before}"${gap ? "\\ " : ""}` : "";
  const back = `${space && (percent || after) ? "\\ " : ""}${percent ? "%" : ""}${after ? `"${after}"` : ""}`;
  const format = `${front}${digits}${back}`;
  if (open) {
    return `${format}_);\\(${format}\\)`;
  }
  if (trailing) {
    return `${format};${format}\\-`;
  }
  return sign === "+" ? `+${format};\\-${format}` : format === "0" ? undefined : format;
};
