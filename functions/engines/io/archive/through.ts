import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Gives what a transform makes of bytes. (`stream.compose` does the same, but leaves an error of the transform without a
 * listener when it comes last, which ends the process: Node 24.21.)
 */
export const through = async function* (source: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const fed = pipeline(source, transform);
  // The reader below is told of the same error.
  fed.catch(() => {});
  yield* transform;
  await fed;
};
