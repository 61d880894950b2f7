import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";
import { readHocr } from "./hocr.ts";
import { languageCodes } from "./languages.ts";
import type { PictureReader, ReadPicture } from "./ocr.ts";
import { type GrayPicture, sharpOf } from "./skew.ts";

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
  const folder = await mkdtemp(join(tmpdir(), "ocr-"));
  /** Checked before the first picture: most files have none. */
  let checked: Promise<void> | undefined;
  try {
    return await use({
      readPicture: async (picture, dpi = DPI) => {
        checked ??= checkInstalled(codes);
        await checked;
        return readPicture(picture, { codes, dpi, folder, ...PAGE });
      },
      readRest: (picture, dpi = DPI) => readPicture(picture, { codes, dpi, folder, ...REST }),
      turnOf: (picture) => turnOf(picture, folder),
    });
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
  /** Tesseract's page segmentation mode. */
  readonly segmentation: "3" | "6";
  readonly timeoutMs: number;
}

const PAGE = { segmentation: "3", timeoutMs: PAGE_MS_MAX } as const;
/** One block of text. */
const REST = { segmentation: "6", timeoutMs: 15_000 } as const;

/** Below this confidence, the orientation is a guess: the picture has few letters. */
const TURN_CONFIDENCE_MIN = 1;

const turnOf = async (picture: GrayPicture, folder: string): Promise<number> => {
  const input = await written(picture, folder);
  const { code, stdout } = await runProgram({
    program: PROGRAM,
    arguments: [input, "stdout", "--psm", "0"],
    folder,
    environment: { OMP_THREAD_LIMIT: "1" },
    timeoutMs: PAGE_MS_MAX,
  });
  const found = stdout.toString("utf8");
  const confidence = Number(/^Orientation confidence: ([\d.]+)/m.exec(found)?.[1] ?? 0);
  // It fails for too few letters, and without the data for orientation.
  return code === 0 && confidence >= TURN_CONFIDENCE_MIN ? Number(/^Rotate: (\d+)/m.exec(found)?.[1] ?? 0) : 0;
};

const written = async (picture: GrayPicture, folder: string): Promise<string> => {
  const path = join(folder, "picture.png");
  await sharpOf(picture).toColourspace("b-w").png({ compressionLevel: 1 }).toFile(path);
  return path;
};

const readPicture = async (picture: GrayPicture, reading: Reading): Promise<ReadPicture> => {
  const { codes, dpi, folder, segmentation, timeoutMs } = reading;
  const [input, output] = [await written(picture, folder), join(folder, "read")];
  const resolution = ["--dpi", String(Math.min(2_400, Math.max(70, Math.round(dpi))))];
  const settings = ["--psm", segmentation, ...resolution, "-l", codes.join("+"), "-c", "page_separator="];
  const { code, stderr } = await runProgram({
    program: PROGRAM,
    arguments: [input, output, ...settings, "txt", "hocr"],
    folder,
    // Tesseract's threads mostly wait for each other: with two threads it takes five times as long.
    environment: { OMP_THREAD_LIMIT: "1" },
    timeoutMs,
  });
  if (code !== 0) {
    throw new Error(`Tesseract exited with ${code}: ${stderr}`);
  }
  const text = await readFile(`${output}.txt`, "utf8");
  return { text, ...readHocr(await readFile(`${output}.hocr`, "utf8")) };
};
