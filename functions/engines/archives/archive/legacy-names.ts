/**
 * Names that are not in UTF-8. Older programs write zip names in the code page of the system they run on, and do not
 * record which one. All names of an archive are examined together, because a single one is too little evidence.
 */

/** How likely it is, from 0 to 1, that a pair of bytes over 127 is an intended character of a two-byte encoding. */
type PairWeight = (lead: number, trail: number) => number;

const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Kana and the common kanji have separate rows in JIS X 0208. */
const shiftJis: PairWeight = (lead, trail) => {
  const kana = (lead === 0x82 && trail >= 0x9f) || lead === 0x83 || (lead === 0x81 && trail === 0x5b);
  return kana || between(lead, 0x88, 0x97) ? 1 : between(lead, 0x98, 0xea) || lead < 0x83 ? 0.4 : 0.1;
};
const eucJp: PairWeight = (lead) => (between(lead, 0xa4, 0xa5) ? 1 : between(lead, 0xb0, 0xcf) ? 0.9 : 0.2);
const gbk: PairWeight = (lead, trail) => (trail < 0xa1 ? 0.2 : between(lead, 0xb0, 0xd7) ? 1 : 0.4);
const big5: PairWeight = (lead) => (between(lead, 0xa4, 0xc6) ? 1 : between(lead, 0xc9, 0xf9) ? 0.4 : 0.1);
const eucKr: PairWeight = (lead) => (between(lead, 0xb0, 0xc8) ? 1 : 0.2);

/** The two-byte encodings. When two are equally likely, the first is used. */
const PAIRS: readonly (readonly [string, PairWeight])[] = [
  ["gbk", gbk],
  ["shift_jis", shiftJis],
  ["euc-jp", eucJp],
  ["big5", big5],
];
const KOREAN = [["euc-kr", eucKr]] as const;
/**
 * Minimum number of characters after which names that are all in the Korean range are not Chinese by chance: a third of
 * Chinese characters is outside of it.
 */
const KOREAN_CHARACTERS_MIN = 6;

const SINGLES = ["ibm866", "windows-1251", "koi8-r"];

/** The upper half of IBM's code page 437, the default of zips (APPNOTE.TXT, appendix D). */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** @returns a function that decodes the names, which all use one encoding: UTF-8 when it is valid for all of them */
export const namesDecoder = (names: readonly Uint8Array[]): ((name: Uint8Array) => string) => {
  const odd = names.filter((name) => name.some((byte) => byte > 127)).slice(0, NAMES_MAX);
  if (odd.every((name) => decoded(name, "utf-8") !== undefined)) {
    return (name) => decoded(name, "utf-8") ?? decodedAs(name, likeliest([name]));
  }
  const encoding = likeliest(odd);
  return (name) => decodedAs(name, encoding);
};

/** Number of names that are examined; more would not improve the result. */
const NAMES_MAX = 2_000;

const decodedAs = (name: Uint8Array, encoding: string): string =>
  (encoding === "cp437" ? undefined : decoded(name, encoding)) ??
  Array.from(name, (byte) => (byte < 128 ? String.fromCharCode(byte) : CP437.charAt(byte - 128))).join("");

const decoded = (name: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return undefined;
  }
};

const likeliest = (names: readonly Uint8Array[]): string => {
  const pairs = names.reduce((sum, name) => sum + name.filter((byte) => byte > 127).length / 2, 0);
  const twoBytes = pairs >= KOREAN_CHARACTERS_MIN ? [...KOREAN, ...PAIRS] : [...PAIRS, ...KOREAN];
  const scores = [
    ...SINGLES.map((encoding) => [encoding, score(names, (name) => lettersWeight(decoded(name, encoding)))] as const),
    ...["windows-1252", "cp437"].map(
      (encoding) => [encoding, score(names, (name) => lettersWeight(decodedAs(name, encoding)))] as const,
    ),
    ...twoBytes.map(([encoding, weight]) => [encoding, score(names, (n) => pairsWeight(n, encoding, weight))] as const),
  ];
  return scores.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
};

/** Weight of a name: the sum over its characters, and their number. Undefined when it is invalid in the encoding. */
type Weighed = readonly [sum: number, count: number] | undefined;

const score = (names: readonly Uint8Array[], weigh: (name: Uint8Array) => Weighed): number => {
  const all = names.map(weigh);
  const total = all.reduce((sum, weighed) => sum + (weighed?.[0] ?? 0), 0);
  const count = all.reduce((sum, weighed) => sum + (weighed?.[1] ?? 0), 0);
  return all.includes(undefined) ? -1 : total / Math.max(1, count);
};

const pairsWeight = (name: Uint8Array, encoding: string, weight: PairWeight): Weighed => {
  if (decoded(name, encoding) === undefined) {
    return undefined;
  }
  let [sum, count, at] = [0, 0, 0];
  while (at < name.length) {
    const lead = name[at] ?? 0;
    // Shift-JIS encodes half-width kana in one byte; they are rare.
    const single = encoding === "shift_jis" && between(lead, 0xa1, 0xdf);
    if (lead > 127) {
      sum += single ? 0.2 : weight(lead, name[at + 1] ?? 0);
      count += 1;
    }
    at += lead > 127 && !single ? 2 : 1;
  }
  return [sum, count];
};

/** Letters of one script occur together: Cyrillic next to Cyrillic, accented letters within Latin words. */
const lettersWeight = (text: string | undefined): Weighed => {
  if (text === undefined) {
    return undefined;
  }
  const letters = Array.from(text);
  const odd = letters.flatMap((letter, index) => ((letter.codePointAt(0) ?? 0) > 127 ? [index] : []));
  const sum = odd.reduce((total, index) => total + letterWeight(letters, index), 0);
  return [sum, odd.length];
};

const letterWeight = (letters: readonly string[], index: number): number => {
  const [before = "", letter = "", after = ""] = [letters[index - 1], letters[index], letters[index + 1]];
  const latin = /[a-z]/i.test(before) || /[a-z]/i.test(after);
  if (/[а-яё]/i.test(letter)) {
    // A capital after a small letter is typical of text in another Cyrillic encoding.
    const capital = /[А-ЯЁ]/.test(letter);
    return latin ? 0 : capital && /[а-яё]/.test(before) ? 0.3 : capital ? 0.95 : 1;
  }
  return latin && /[\u00c0-\u00ff]/.test(letter) && !/[×÷]/.test(letter) ? 0.9 : 0.1;
};
