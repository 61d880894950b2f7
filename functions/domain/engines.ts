import { type LaneId, laneIds, lanes } from "./lanes.ts";

/** An engine as far as the service plans with it; `engines/index.ts` has its code. */
export interface EngineRow {
  /** The lanes whose function is made for it. A container image holds all that the zipped functions do, too. */
  readonly lanes: readonly LaneId[];
  /** The npm packages that it needs; the version of the first is its version. None: Node has all that it needs. */
  readonly packages: readonly string[];
  /**
   * The programs of the system that it starts, where it needs some; the first is the tool itself. One that has several
   * names has them all, with `|` between them and the best first.
   */
  readonly programs?: readonly string[];
}

/** A new engine is a row here, a file in `engines/` and its line in `engines/index.ts`. */
export const engineTable = {
  sharp: { lanes: ["fast"], packages: ["sharp"] },
  // Sharp reads what it writes.
  magick: { lanes: ["fast"], packages: ["@imagemagick/magick-wasm", "sharp"] },
  heif: { lanes: ["fast"], packages: ["sharp"], programs: ["heif-convert"] },
  light: { lanes: ["fast"], packages: ["three", "sharp"] },
  icons: { lanes: ["fast"], packages: ["sharp"] },
  vectorizer: { lanes: ["fast"], packages: ["@neplex/vectorizer", "sharp"] },
  svgz: { lanes: ["fast", "data"], packages: [] },
  typst: {
    lanes: ["fast"],
    packages: [
      "@myriaddreamin/typst-ts-node-compiler",
      "dejavu-fonts-ttf",
      "@expo-google-fonts/noto-sans-sc",
      "parse5",
      "sharp",
    ],
  },
  tesseract: { lanes: ["fast"], packages: ["tesseract.js", "@tesseract.js-data/eng", "sharp"] },
  pdflib: {
    lanes: ["fast"],
    packages: [
      "@cantoo/pdf-lib",
      "sharp",
      "@imagemagick/magick-wasm",
      "@hyzyla/pdfium",
      "tesseract.js",
      "@tesseract.js-data/eng",
    ],
  },
  gdal: { lanes: ["data"], packages: ["gdal3.js"] },
  places: { lanes: ["fast", "data"], packages: ["fast-xml-parser", "csv-parse"] },
  mesh: { lanes: ["fast", "data"], packages: [] },
  three: { lanes: ["data"], packages: ["three"] },
  occt: { lanes: ["data"], packages: ["occt-import-js"] },
  topojson: { lanes: ["fast", "data"], packages: ["topojson-server", "topojson-client"] },
  // PDFium opens the file before, and pdf-lib takes its encryption off.
  poppler: {
    lanes: ["documents"],
    packages: ["@hyzyla/pdfium", "@cantoo/pdf-lib"],
    programs: ["pdftocairo"],
  },
  // Tesseract as a program of the system, with all languages that are installed there.
  "tesseract-cli": {
    lanes: ["documents"],
    packages: ["sharp", "@cantoo/pdf-lib", "@imagemagick/magick-wasm", "@hyzyla/pdfium", "hucre"],
    programs: ["tesseract"],
  },
  pdfium: { lanes: ["fast"], packages: ["@hyzyla/pdfium", "sharp", "hucre", "tesseract.js", "@tesseract.js-data/eng"] },
  markup: {
    lanes: ["fast", "data"],
    packages: ["markdown-it", "html-to-text", "parse5"],
  },
  mammoth: { lanes: ["fast", "data"], packages: ["mammoth", "parse5", "yauzl"] },
  docx: { lanes: ["fast", "data"], packages: ["docx", "parse5"] },
  epub: { lanes: ["fast", "data"], packages: ["parse5", "yauzl", "yazl"] },
  // Our own client speaks with the browser. The whole browser is none of the names: it takes six times the shell's time.
  chromium: {
    lanes: ["documents"],
    packages: ["parse5"],
    programs: ["chromium-headless-shell|chrome-headless-shell"],
  },
  // Kept warm, which `ebook-convert` beside it cannot be.
  calibre: { lanes: ["documents"], packages: ["parse5", "yauzl", "yazl", "sharp"], programs: ["calibre-debug"] },
  mobi: { lanes: ["fast", "data"], packages: ["parse5", "yazl"] },
  fb2: { lanes: ["fast", "data"], packages: ["parse5", "yazl"] },
  mail: {
    lanes: ["fast", "data"],
    packages: [
      "nodemailer",
      "postal-mime",
      "@kenjiuno/msgreader",
      "@kenjiuno/decompressrtf",
      "rtf-stream-parser",
      "html-to-text",
      "parse5",
      "chardet",
    ],
  },
  calendar: { lanes: ["fast", "data"], packages: ["csv-parse", "chardet"] },
  trees: { lanes: ["fast", "data"], packages: ["js-yaml", "smol-toml", "chardet"] },
  subtitles: { lanes: ["fast", "data"], packages: ["chardet"] },
  records: { lanes: ["fast", "data"], packages: [] },
  duckdb: { lanes: ["data"], packages: ["@duckdb/node-api"] },
  sheets: { lanes: ["fast", "data"], packages: ["@e965/xlsx"] },
  sqlite: { lanes: ["fast", "data"], packages: [] },
  archive: { lanes: ["fast", "data"], packages: ["yauzl", "7z-wasm"] },
  sevenzip: { lanes: ["data"], packages: ["7z-wasm", "yauzl"] },
  fonts: { lanes: ["fast", "data"], packages: ["fontverter", "ttf2eot"] },
  soffice: { lanes: ["documents"], packages: [], programs: ["soffice"] },
  ffmpeg: { lanes: ["media"], packages: ["sharp"], programs: ["ffmpeg", "ffprobe"] },
  pandoc: { lanes: ["documents"], packages: ["parse5", "yauzl", "yazl", "chardet", "sharp"], programs: ["pandoc"] },
} as const satisfies Record<string, EngineRow>;

export type EngineId = keyof typeof engineTable;

export const engineIds = Object.keys(engineTable) as EngineId[];

/** @returns the row of an engine */
export const engineOf = (id: EngineId): EngineRow => engineTable[id];

/** @returns the names that a program of an engine may have, best first */
export const namesOf = (program: string): readonly string[] => program.split("|");

/** @returns whether the function of the lane holds the engine */
export const laneHolds = (lane: LaneId, engine: EngineId): boolean => {
  const own = engineOf(engine).lanes;
  return own.includes(lane) || (isImage(lane) && !own.some(isImage));
};

/**
 * A zipped function has no programs: an engine that needs one is deployed where a container image is made for it.
 *
 * @param deployed the lanes that the deployment has
 */
export const isDeployable = (engine: EngineId, deployed: readonly LaneId[] = laneIds): boolean => {
  const holding = deployed.filter((lane) => laneHolds(lane, engine));
  const { programs, lanes: own } = engineOf(engine);
  return programs === undefined ? holding.length > 0 : holding.some((lane) => own.includes(lane) && isImage(lane));
};

const isImage = (lane: LaneId): boolean => lanes[lane].image;
