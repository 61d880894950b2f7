/** Maps language codes to Tesseract's own codes, keyed by the shortest code (BCP 47). */
const CODES: Readonly<Record<string, string>> = {
  af: "afr",
  ar: "ara",
  be: "bel",
  bg: "bul",
  bn: "ben",
  ca: "cat",
  cs: "ces",
  cy: "cym",
  da: "dan",
  de: "deu",
  el: "ell",
  en: "eng",
  es: "spa",
  et: "est",
  eu: "eus",
  fa: "fas",
  fi: "fin",
  fr: "fra",
  ga: "gle",
  gl: "glg",
  gu: "guj",
  he: "heb",
  hi: "hin",
  hr: "hrv",
  hu: "hun",
  hy: "hye",
  id: "ind",
  is: "isl",
  it: "ita",
  ja: "jpn",
  ka: "kat",
  kk: "kaz",
  ko: "kor",
  la: "lat",
  lt: "lit",
  lv: "lav",
  mk: "mkd",
  ml: "mal",
  mr: "mar",
  ms: "msa",
  nb: "nor",
  nl: "nld",
  nn: "nor",
  no: "nor",
  pa: "pan",
  pl: "pol",
  pt: "por",
  ro: "ron",
  ru: "rus",
  sk: "slk",
  sl: "slv",
  sq: "sqi",
  sr: "srp",
  "sr-latn": "srp_latn",
  sv: "swe",
  ta: "tam",
  te: "tel",
  th: "tha",
  tr: "tur",
  uk: "ukr",
  ur: "urd",
  vi: "vie",
  yi: "yid",
  zh: "chi_sim",
  "zh-cn": "chi_sim",
  "zh-hans": "chi_sim",
  "zh-hant": "chi_tra",
  "zh-hk": "chi_tra",
  "zh-tw": "chi_tra",
};

/** Default language. */
export const OCR_LANGUAGE = "eng";

/**
 * @param languages values of the option `ocr_language`: `de`, `en+fr`, `pt-BR`, `chi_tra`
 * @returns Tesseract's codes without duplicates; codes missing from the table may be Tesseract's own and are kept
 * unchanged
 */
export const languageCodes = (languages: string): readonly string[] => {
  const codes = languages.split("+").map((language) => {
    const tag = language.toLowerCase().replaceAll("_", "-");
    return CODES[tag] ?? CODES[tag.split("-", 1)[0] ?? ""] ?? language.replaceAll("-", "_").toLowerCase();
  });
  return [...new Set(codes)];
};
