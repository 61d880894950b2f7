import { writeFile } from "node:fs/promises";
import type { Warning } from "../../../domain/warning.ts";

/** Images of lower quality are hardly recognizable. */
const QUALITY_MIN = 10;
/** A higher quality only makes the file larger. */
const QUALITY_MAX = 95;

interface Wanted {
  readonly output: string;
  readonly bytesMax: number;
  /** The highest quality. @default 95 */
  readonly quality: number | undefined;
}

/**
 * Writes the image with the highest quality at which it has at most the wanted size: a binary search in at most eight
 * encodings.
 *
 * @returns a warning if the lowest quality is still too large; the file then has this quality
 */
export const writeToSize = async (
  encoded: (quality: number) => Promise<Buffer>,
  { output, bytesMax, quality = QUALITY_MAX }: Wanted,
): Promise<Warning[]> => {
  let best: Buffer | undefined;
  let [low, high] = [Math.min(QUALITY_MIN, quality), quality];
  let next = high;
  while (low <= high) {
    const bytes = await encoded(next);
    if (bytes.length <= bytesMax) {
      best = bytes;
      low = next + 1;
    } else {
      high = next - 1;
    }
    next = Math.floor((low + high) / 2);
  }
  const result = best ?? (await encoded(Math.min(QUALITY_MIN, quality)));
  await writeFile(output, result);
  return best === undefined ? [missed(bytesMax, result.length)] : [];
};

const missed = (bytesMax: number, bytes: number): Warning => ({
  code: "target_size_missed",
  detail: `The image cannot be compressed to ${bytesMax} bytes at this width and height; the result has ${bytes}. Set a smaller width.`,
});
