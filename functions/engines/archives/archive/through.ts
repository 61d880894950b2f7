import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Returns the output of a transform. (`stream.compose` does the same, but leaves an error of the last transform without
 * a listener, which ends the process: Node 24.21.)
 */
export const through = async function* (source: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const fed = pipeline(source, transform);
  // The reader below receives the same error.
  fed.catch(() => {});
  yield* transform;
  await fed;
};

/** Returns the chunks of a stream whose types do not declare them as buffers (streamx 2.28). */
export const buffersOf = async function* (stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (Buffer.isBuffer(chunk)) {
      yield chunk;
    }
  }
};

/** Minimum size of a chunk in bytes: each header of a small file would otherwise be a separate write. */
const GATHERED_BYTES = 65_536;

/** Returns the bytes in larger chunks. If the source fails, the bytes before the error are returned first. */
export const gathered = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      held.push(chunk);
      bytes += chunk.length;
      if (bytes >= GATHERED_BYTES) {
        yield Buffer.concat(held);
        [held, bytes] = [[], 0];
      }
    }
  } catch (error) {
    yield Buffer.concat(held);
    throw error;
  }
  yield Buffer.concat(held);
};
