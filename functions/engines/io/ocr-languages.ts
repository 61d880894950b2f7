/** What Tesseract calls languages, which has its own codes, by their shortest code (BCP 47). */
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

/** The language of those who do not say. */
export const OCR_LANGUAGE = "eng";

/**
 * @param languages as the option `ocr_language` has them: `de`, `en+fr`, `pt-BR`, `chi_tra`
 * @returns Tesseract's codes, each once; one that is not in the table may be Tesseract's own, as it is
 */
export const languageCodes = (languages: string): readonly string[] => {
  const codes = languages.split("+").map((language) => {
    const tag = language.toLowerCase().replaceAll("_", "-");
    return CODES[tag] ?? CODES[tag.split("-", 1)[0] ?? ""] ?? language.replaceAll("-", "_").toLowerCase();
  });
  return [...new Set(codes)];
};
