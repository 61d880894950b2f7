import { type LaneId, laneIds, lanes } from "./lanes.ts";

/** An engine as used for planning; its code is in `engines/index.ts`. */
export interface EngineRow {
  /** The lanes whose function includes it. Container images also include everything in the zipped functions. */
  readonly lanes: readonly LaneId[];
  /** The npm packages that it needs; the version of the first is its version. None: Node is sufficient. */
  readonly packages: readonly string[];
  /**
   * The system programs that it starts, if any; the first is the tool itself. Alternative names are separated by `|`,
   * with the preferred one first.
   */
  readonly programs?: readonly string[];
}

/** A new engine is a row here, a file in `engines/` and its line in `engines/index.ts`. */
export const engineTable = {
  sharp: { lanes: ["fast"], packages: ["sharp"] },
  // Sharp reads what it writes.
  magick: { lanes: ["fast"], packages: ["@imagemagick/magick-wasm", "sharp"] },
  heif: { lanes: ["fast"], packages: ["sharp"], programs: ["heif-convert"] },
  hdr: { lanes: ["fast"], packages: ["three", "sharp"] },
  icons: { lanes: ["fast"], packages: ["sharp"] },
  vectorizer: { lanes: ["fast"], packages: ["@neplex/vectorizer", "sharp"] },
  svgz: { lanes: ["fast", "data"], packages: [] },
  pdflib: {
    lanes: ["fast"],
    packages: ["@cantoo/pdf-lib", "sharp", "@imagemagick/magick-wasm", "@hyzyla/pdfium"],
  },
  gdal: { lanes: ["data"], packages: ["gdal3.js"] },
  "geo-points": { lanes: ["fast", "data"], packages: ["saxes"] },
  mesh: { lanes: ["fast", "data"], packages: [] },
  three: { lanes: ["data"], packages: ["three"] },
  occt: { lanes: ["data"], packages: ["occt-import-js"] },
  // PDFium opens the file first, and pdf-lib removes its encryption.
  poppler: {
    lanes: ["documents"],
    packages: ["@hyzyla/pdfium", "@cantoo/pdf-lib"],
    programs: ["pdftocairo"],
  },
  tesseract: {
    lanes: ["documents"],
    packages: ["sharp", "@cantoo/pdf-lib", "@imagemagick/magick-wasm", "@hyzyla/pdfium", "yazl"],
    programs: ["tesseract"],
  },
  pdfium: { lanes: ["fast"], packages: ["@hyzyla/pdfium", "sharp", "yazl"] },
  markup: {
    lanes: ["fast", "data"],
    packages: ["markdown-it", "html-to-text", "parse5"],
  },
  docx: { lanes: ["fast", "data"], packages: ["docx", "parse5"] },
  epub: { lanes: ["fast", "data"], packages: ["parse5", "yauzl", "yazl"] },
  // Our own client controls the browser. The full browser is not listed: it takes six times as long as the headless
  // shell.
  chromium: {
    lanes: ["documents"],
    packages: ["parse5", "sharp"],
    programs: ["chromium-headless-shell|chrome-headless-shell"],
  },
  // Kept warm, unlike `ebook-convert`.
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
  calendar: { lanes: ["fast", "data"], packages: ["chardet"] },
  structured: { lanes: ["fast", "data"], packages: ["js-yaml", "smol-toml", "chardet"] },
  subtitles: { lanes: ["fast", "data"], packages: ["chardet"] },
  "text-tables": { lanes: ["fast", "data"], packages: [] },
  duckdb: { lanes: ["data"], packages: ["@duckdb/node-api"] },
  sheets: { lanes: ["fast", "data"], packages: ["@e965/xlsx", "yazl"] },
  sqlite: { lanes: ["fast", "data"], packages: [] },
  archive: { lanes: ["fast", "data"], packages: ["yauzl", "tar-stream"] },
  // Free builds of 7-Zip do not read RAR; unar does, and `lsar` lists it.
  "seven-zip": { lanes: ["documents"], packages: ["yauzl", "tar-stream"], programs: ["7zz", "unar", "lsar"] },
  fonts: { lanes: ["fast", "data"], packages: ["fontverter", "ttf2eot"] },
  soffice: { lanes: ["documents"], packages: [], programs: ["soffice"] },
  ffmpeg: { lanes: ["media"], packages: ["sharp"], programs: ["ffmpeg", "ffprobe"] },
  pandoc: { lanes: ["documents"], packages: ["parse5", "yauzl", "yazl", "chardet", "sharp"], programs: ["pandoc"] },
} as const satisfies Record<string, EngineRow>;

export type EngineId = keyof typeof engineTable;

export const engineIds = Object.keys(engineTable) as EngineId[];

/** @returns the row of an engine */
export const engineOf = (id: EngineId): EngineRow => engineTable[id];

/** @returns the possible names of an engine's program, preferred first */
export const namesOf = (program: string): readonly string[] => program.split("|");

/** @returns whether the function of the lane includes the engine */
export const laneHolds = (lane: LaneId, engine: EngineId): boolean => {
  const own = engineOf(engine).lanes;
  return own.includes(lane) || (isImage(lane) && !own.some(isImage));
};

/**
 * Zipped functions have no system programs: an engine that needs one is deployed with the container image of its lane.
 *
 * @param deployed the lanes that the deployment has
 */
export const isDeployable = (engine: EngineId, deployed: readonly LaneId[] = laneIds): boolean => {
  const holding = deployed.filter((lane) => laneHolds(lane, engine));
  const { programs, lanes: own } = engineOf(engine);
  return programs === undefined ? holding.length > 0 : holding.some((lane) => own.includes(lane) && isImage(lane));
};

const isImage = (lane: LaneId): boolean => lanes[lane].image;
