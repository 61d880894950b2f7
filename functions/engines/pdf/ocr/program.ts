import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";
import { readXml, type XmlElement } from "../../data/text/xml.ts";
import { languageCodes } from "./languages.ts";
import type { PictureReader, ReadPicture, ReadWord } from "./ocr.ts";

const PROGRAM = "tesseract";

/** Timeout per page in milliseconds; a full A4 page takes 2,000. */
const PAGE_MS_MAX = 60_000;
const START_MS_MAX = 10_000;

/**
 * Returns a reader that runs Tesseract with the installed languages.
 *
 * @param languages values of the option `ocr_language`
 * @throws JobError `unsupported_feature` for a language that is not installed; the message lists the installed ones
 */
export const withProgramReader = async <T>(
  languages: string,
  use: (reader: PictureReader) => Promise<T>,
): Promise<T> => {
  const codes = languageCodes(languages);
  await checkInstalled(codes);
  const folder = await mkdtemp(join(tmpdir(), "ocr-"));
  try {
    return await use({ readPicture: (picture, dpi = DPI) => readPicture(picture, { codes, dpi, folder }) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const DPI = 300;

const checkInstalled = async (codes: readonly string[]): Promise<void> => {
  const { stdout, stderr } = await runProgram({
    program: PROGRAM,
    arguments: ["--list-langs"],
    folder: tmpdir(),
    timeoutMs: START_MS_MAX,
  });
  // Depending on the version, the list is on stdout or stderr. `osd` only detects the page orientation.
  const installed = `${stdout}\n${stderr}`.split("\n").filter((line) => /^\w+$/.test(line) && line !== "osd");
  const missing = codes.filter((code) => !installed.includes(code));
  if (missing.length > 0) {
    const has = installed.length === 0 ? "none installed" : `installed: ${installed.join(", ")}`;
    const detail = `Text recognition language not installed: ${missing.join(", ")} (${has}).`;
    throw new JobError("unsupported_feature", detail);
  }
};

interface Reading {
  readonly codes: readonly string[];
  readonly dpi: number;
  /** Data directory of the reader. */
  readonly folder: string;
}

const readPicture = async (picture: Uint8Array, { codes, dpi, folder }: Reading): Promise<ReadPicture> => {
  const [input, output] = [join(folder, "picture.png"), join(folder, "read")];
  await writeFile(input, picture);
  const resolution = ["--dpi", String(Math.min(2_400, Math.max(70, Math.round(dpi))))];
  const settings = ["--psm", "3", ...resolution, "-l", codes.join("+"), "-c", "page_separator="];
  const { code, stderr } = await runProgram({
    program: PROGRAM,
    arguments: [input, output, ...settings, "txt", "hocr"],
    folder,
    // Tesseract's threads mostly wait for each other: with two threads it takes five times as long.
    environment: { OMP_THREAD_LIMIT: "1" },
    timeoutMs: PAGE_MS_MAX,
  });
  if (code !== 0) {
    throw new Error(`Tesseract exited with ${code}: ${stderr}`);
  }
  const text = await readFile(`${output}.txt`, "utf8");
  const words = wordsOf(await readFile(`${output}.hocr`, "utf8"));
  const sum = words.reduce((total, { confidence }) => total + confidence, 0);
  return { text, words: words.map(({ word }) => word), confidence: words.length === 0 ? 0 : sum / words.length };
};

/** Areas, paragraphs, lines, words. */
const DEPTH_MAX = 20;

/** Parses Tesseract's hOCR output: XHTML whose `title` attributes hold the positions. */
const wordsOf = (hocr: string): { word: ReadWord; confidence: number }[] => {
  const { root } = readXml(hocr.replace(/^[\s\S]*?(?=<html)/, ""), { depthMax: DEPTH_MAX });
  return linesIn(root).flatMap((line) => {
    const place = placesOf(line);
    const [, slope = 0, offset = 0] = numbers(place, "baseline", 2);
    return elementsIn(line)
      .filter(({ attributes }) => attributes.get("class") === "ocrx_word")
      .map((element) => {
        const own = placesOf(element);
        const [, left = 0, , right = 0] = numbers(own, "bbox", 4);
        const [, from = 0, top = 0, , bottom = 0] = numbers(place, "bbox", 4);
        const [, confidence = 0] = numbers(own, "x_wconf", 1);
        // The baseline is relative to the lower left corner of the line.
        const baseline = bottom + offset + slope * (left - from);
        return { word: { text: textIn(element), left, right, top, bottom, baseline }, confidence };
      });
  });
};

const placesOf = ({ attributes }: XmlElement): string => attributes.get("title") ?? "";

/** @returns the numbers after a name in a title, from index 1 */
const numbers = (title: string, name: string, count: number): number[] => {
  const pattern = new RegExp(`\\b${name}${" (-?[\\d.]+)".repeat(count)}`);
  return [0, ...(pattern.exec(title)?.slice(1).map(Number) ?? [])];
};

const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elementsIn(child)]));

/** Lines of body text, headings and captions. */
const linesIn = (root: XmlElement): XmlElement[] =>
  elementsIn(root).filter(({ attributes }) =>
    /^ocr_(?:line|header|caption|textfloat)$/.test(attributes.get("class") ?? ""),
  );

const textIn = ({ children }: XmlElement): string =>
  children
    .map((child) => (typeof child === "string" ? child : textIn(child)))
    .join("")
    .trim();
