import { finished, type Readable } from "node:stream";

/** Bytes that wait to be processed until the stream pauses. */
const WAITING_BYTES_MAX = 262_144;

/**
 * The chunks of a stream as they arrive. The stream's own iterator copies those that wait into one. What is not read stays
 * in the stream, which is not destroyed.
 *
 * @throws the error of the stream; an Error if it was closed before its end
 */
export const arrivingChunks = async function* (stream: Readable): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let [bytes, wake] = [0, (): void => {}];
  let end: { readonly error: Error | null | undefined } | undefined;
  const receive = (chunk: Buffer): void => {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= WAITING_BYTES_MAX) {
      stream.pause();
    }
    wake();
  };
  const unwatch = finished(stream, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  stream.on("data", receive);
  try {
    for (;;) {
      for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
        bytes -= chunk.length;
        yield chunk;
      }
      if (end !== undefined) {
        break;
      }
      stream.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (end.error) {
      throw end.error;
    }
  } finally {
    unwatch();
    stream.off("data", receive).pause();
  }
};
