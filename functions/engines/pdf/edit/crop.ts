import type { PDFDocument } from "@cantoo/pdf-lib";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { frameOf } from "./frame.ts";

const POINTS_PER_MILLIMETER = 72 / 25.4;

/**
 * Hides the margins of each page. What is outside stays in the file, as in every PDF program.
 *
 * @throws JobError `unsupported_feature` for a page that is smaller than the margins
 */
export const cropPages = async (
  document: PDFDocument,
  { options: { crop_margins = "0" } }: EngineTask,
): Promise<void> => {
  const sides = crop_margins.split(",").map((side) => Number(side) * POINTS_PER_MILLIMETER);
  const [top = 0, right = top, bottom = top, left = right] = sides;
  for (const page of document.getPages()) {
    const { width, height, matrix } = frameOf(page);
    if (left + right >= width || top + bottom >= height) {
      const detail = `\`crop_margins\` leave nothing of a page of ${Math.round(width)} × ${Math.round(height)} points.`;
      throw new JobError("unsupported_feature", detail, { isFinal: true });
    }
    const [a, b, c, d, e, f] = matrix;
    const at = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f] as const;
    const [[x1, y1], [x2, y2]] = [at(left, bottom), at(width - right, height - top)];
    page.setCropBox(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
  }
};
