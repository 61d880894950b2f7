import { type ImageLaneId, type Lane, type LaneId, type LayerId, laneIds, lanes } from "./lanes.ts";

/** An engine as used for planning; its code is in `engines/index.ts`. */
export interface EngineRow {
  /**
   * Where it is installed: a layer, or the image of a lane. Its lanes follow: those whose function has the layer.
   * Container images also include every layer.
   */
  readonly in: LayerId | ImageLaneId;
  /** The npm packages that it needs; the version of the first is its version. None: Node is sufficient. */
  readonly packages: readonly string[];
  /**
   * The system programs that it starts, if any; the first is the tool itself. Alternative names are separated by `|`,
   * with the preferred one first.
   */
  readonly programs?: readonly string[];
  /** Whether it converts bytes to bytes, without files. @default no */
  readonly takesBytes?: true;
  /**
   * Whether the operator decides about it: no image includes it, and no command installs it. Its conversions are listed
   * where its programs are installed.
   */
  readonly optional?: boolean;
  /**
   * Whether it runs scripts of its source. It needs the full sandbox, and its converter is ended after each job, so that
   * nothing of the source remains. @default false
   */
  readonly runsScripts?: boolean;
}

/** A new engine is a row here, a file in `engines/` and its line in `engines/index.ts`. */
export const engineTable = {
  sharp: { in: "pictures", packages: ["sharp"], takesBytes: true },
  // Sharp reads what it writes.
  magick: { in: "pictures", packages: ["@imagemagick/magick-wasm", "sharp"] },
  heif: { in: "pictures", packages: ["sharp"], programs: ["heif-convert"] },
  jxr: { in: "documents", packages: ["sharp"], programs: ["JxrDecApp"] },
  hdr: { in: "pictures", packages: ["three", "sharp"] },
  icons: { in: "pictures", packages: ["sharp"] },
  vectorizer: { in: "pictures", packages: ["@neplex/vectorizer", "sharp"] },
  svgz: { in: "texts", packages: [] },
  pdflib: {
    in: "papers",
    packages: ["@cantoo/pdf-lib", "sharp", "@imagemagick/magick-wasm", "@hyzyla/pdfium"],
  },
  gdal: { in: "tables", packages: ["gdal3.js"] },
  "geo-points": { in: "texts", packages: ["saxes"] },
  mesh: { in: "texts", packages: [] },
  three: { in: "tables", packages: ["three"] },
  occt: { in: "tables", packages: ["occt-import-js"] },
  assimp: { in: "documents", packages: [], programs: ["assimp"] },
  // PDFium opens the file first, and pdf-lib removes its encryption.
  poppler: {
    in: "documents",
    packages: ["@hyzyla/pdfium", "@cantoo/pdf-lib"],
    programs: ["pdftocairo"],
  },
  // Its license is the AGPL. PDFium counts the pages that it writes.
  ghostscript: { in: "documents", packages: ["@hyzyla/pdfium"], programs: ["gs"], optional: true },
  tesseract: {
    in: "documents",
    packages: ["sharp", "@cantoo/pdf-lib", "@imagemagick/magick-wasm", "@hyzyla/pdfium", "yazl"],
    programs: ["tesseract"],
  },
  // `pdfimages` of Poppler lists the resolution of each image.
  qpdf: { in: "documents", packages: ["@cantoo/pdf-lib", "sharp"], programs: ["qpdf", "pdfimages"] },
  pdfium: { in: "papers", packages: ["@hyzyla/pdfium", "sharp", "yazl"] },
  markup: {
    in: "texts",
    packages: ["markdown-it", "html-to-text", "parse5"],
  },
  docx: { in: "texts", packages: ["docx", "parse5"] },
  epub: { in: "texts", packages: ["parse5", "yauzl", "yazl"] },
  // Our own client controls the browser. The full browser is not listed: it takes six times as long as the headless
  // shell.
  chromium: {
    in: "documents",
    packages: ["parse5", "sharp", "@cantoo/pdf-lib", "postal-mime", "@kenjiuno/msgreader"],
    programs: ["chromium-headless-shell|chrome-headless-shell"],
  },
  // A browser with scripts, and with a network that a proxy filters.
  web: {
    in: "web",
    packages: ["yauzl", "chardet"],
    programs: ["chromium-headless-shell|chrome-headless-shell", "bwrap"],
    optional: true,
    runsScripts: true,
  },
  // Kept warm, unlike `ebook-convert`.
  calibre: { in: "documents", packages: ["parse5", "yauzl", "yazl", "sharp"], programs: ["calibre-debug"] },
  mobi: { in: "texts", packages: ["parse5", "yazl"] },
  fb2: { in: "texts", packages: ["parse5", "yazl"] },
  mail: {
    in: "texts",
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
  calendar: { in: "texts", packages: ["chardet"] },
  structured: { in: "texts", packages: ["js-yaml", "smol-toml", "chardet"] },
  subtitles: { in: "texts", packages: ["chardet"] },
  "text-tables": { in: "texts", packages: [] },
  arrow: { in: "tables", packages: ["apache-arrow", "@duckdb/node-api"] },
  duckdb: { in: "tables", packages: ["@duckdb/node-api"] },
  sheets: { in: "texts", packages: ["@e965/xlsx", "yazl"] },
  sqlite: { in: "texts", packages: [] },
  archive: { in: "texts", packages: ["yauzl", "tar-stream"] },
  // Free builds of 7-Zip do not read RAR; unar does, and `lsar` lists it.
  "seven-zip": { in: "documents", packages: ["yauzl", "tar-stream"], programs: ["7zz", "unar", "lsar"] },
  fonts: { in: "texts", packages: ["fontverter", "ttf2eot"] },
  soffice: { in: "documents", packages: ["@expo-google-fonts/noto-emoji"], programs: ["soffice"] },
  xps: { in: "documents", packages: ["yauzl", "yazl"], programs: ["xpstopdf"] },
  // Its license is the GPL.
  djvu: { in: "documents", packages: ["@cantoo/pdf-lib"], programs: ["ddjvu", "djvused", "djvutxt"] },
  ffmpeg: { in: "media", packages: ["sharp"], programs: ["ffmpeg", "ffprobe"] },
  pandoc: {
    in: "documents",
    packages: ["parse5", "yauzl", "yazl", "chardet", "sharp", "@asciidoctor/core"],
    programs: ["pandoc"],
  },
  // Its samples are encoded by ffmpeg.
  fluidsynth: { in: "media", packages: [], programs: ["fluidsynth", "ffmpeg", "ffprobe"] },
  avif: { in: "media", packages: ["sharp"], programs: ["ffmpeg", "ffprobe"] },
} as const satisfies Record<string, EngineRow>;

export type EngineId = keyof typeof engineTable;

/** The engine that recognizes text in pictures, also for steps of other engines. */
export const RECOGNIZER = "tesseract" satisfies EngineId;

export const engineIds = Object.keys(engineTable) as EngineId[];

/** @returns the row of an engine */
export const engineOf = (id: EngineId): EngineRow => engineTable[id];

/** @returns whether one of the engines runs scripts of its source */
export const runScripts = (ids: readonly EngineId[]): boolean => ids.some((id) => engineOf(id).runsScripts === true);

/** @returns the possible names of an engine's program, preferred first */
export const namesOf = (program: string): readonly string[] => program.split("|");

/** @returns whether the function of the lane includes the engine */
export const laneHolds = (lane: LaneId, engine: EngineId): boolean => {
  const place = engineOf(engine).in;
  const { image, layers, includes = [] } = laneOf(lane);
  return image
    ? place === lane || includes.includes(place) || !(place in lanes)
    : layers.some((layer) => layer === place);
};

/**
 * Zipped functions have no system programs: an engine that needs one is deployed with the container image of its lane.
 * Optional engines are deployed with a lane that is optional itself.
 *
 * @param deployed the lanes that the deployment has
 */
export const isDeployable = (engine: EngineId, deployed: readonly LaneId[] = laneIds): boolean => {
  const { programs, in: place, optional = false } = engineOf(engine);
  return deployed
    .filter((lane) => !optional || laneOf(lane).optional === true)
    .some((lane) => (programs === undefined ? laneHolds(lane, engine) : place === lane));
};

const laneOf = (lane: LaneId): Lane => lanes[lane];
