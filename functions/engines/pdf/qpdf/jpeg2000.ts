import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../core/program.ts";
import { imagesOfPages } from "./listed-images.ts";
import type { Placement } from "./placements.ts";

/** Milliseconds for the images of one page. */
const TIMEOUT_MS = 120_000;
/** Pages with images in JPEG 2000 that are decoded; the images of others stay as they are. */
const PAGES_MAX = 500;

/**
 * Decodes images in JPEG 2000.
 *
 * @param path of a PDF without encryption
 * @param images the images and the pages that show them, by the name of the object: `12 0 R`
 * @returns a PNG of each image, in RGB or gray
 */
export const decodedJpeg2000 = async (
  path: string,
  folder: string,
  images: ReadonlyMap<string, Placement>,
): Promise<Map<string, string>> => {
  const decoded = new Map<string, string>();
  const pages = new Set([...images.values()].map(({ page }) => page));
  for (const page of [...pages].slice(0, PAGES_MAX)) {
    for (const [object, file] of await imagesOnPage(path, join(folder, `page-${page}`), page)) {
      if (images.has(object) && !decoded.has(object)) {
        decoded.set(object, file);
      } else {
        await rm(file);
      }
    }
  }
  return decoded;
};

/** @returns the images of a page in JPEG 2000 as PNG, by the name of the object */
const imagesOnPage = async (path: string, folder: string, page: number): Promise<[string, string][]> => {
  await mkdir(folder);
  const listed = await imagesOfPages(path, folder, page);
  const { code } = await runProgram({
    program: "pdfimages",
    arguments: ["-png", "-f", String(page), "-l", String(page), path, "image"],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  const files = code === 0 ? await readdir(folder) : [];
  return files.flatMap((file): [string, string][] => {
    const number = Number(/-(\d+)\.png$/.exec(file)?.[1]);
    const image = listed.find((one) => one.number === number && one.encoding === "jpx" && one.type === "image");
    return image?.object === undefined ? [] : [[`${image.object} R`, join(folder, file)]];
  });
};
