import { open } from "node:fs/promises";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";

/** What the detection of a format reads of a file. */
export interface DetectionSample {
  /** Bytes of the file. */
  readonly size: number;
  /** The first `DETECTION_BYTES`, or all of it. */
  readonly head: Buffer;
  /** The last `DETECTION_BYTES`, or all of it. */
  readonly tail: Buffer;
}

/** @throws Error with a code such as ENOENT if the file cannot be read */
export const detectionSample = async (path: string): Promise<DetectionSample> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, DETECTION_BYTES);
    const head = (await file.read(Buffer.alloc(length), 0, length, 0)).buffer;
    const tail = (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
    return { size, head, tail };
  } finally {
    await file.close();
  }
};
