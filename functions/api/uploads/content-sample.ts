import { DETECTION_BYTES } from "../../domain/limits.ts";

/** Keeps the first and last bytes of content that streams by, from which its format is detected. */
export const contentSample = () => {
  const head: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  return {
    watch: async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let seen = 0;
      for await (const chunk of content) {
        if (seen < DETECTION_BYTES) {
          head.push(chunk.subarray(0, DETECTION_BYTES - seen));
          seen += chunk.length;
        }
        tail = lastOf(tail, chunk);
        yield chunk;
      }
    },
    head: (): Uint8Array => joined(head),
    tail: (): Uint8Array => joined(trimmed(tail)),
  };
};

/** A single chunk is not copied. */
const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const [only, second] = chunks;
  return only !== undefined && second === undefined ? only : Buffer.concat(chunks);
};

/** @returns the chunks without bytes before the last ones, so that those are not copied */
const trimmed = (chunks: readonly Uint8Array[]): readonly Uint8Array[] => {
  const surplus = chunks.reduce((sum, { length }) => sum + length, -DETECTION_BYTES);
  const [first, ...others] = chunks;
  return first === undefined || surplus <= 0 ? chunks : [first.subarray(surplus), ...others];
};

/** @returns the chunks that contain the last bytes so far */
const lastOf = (chunks: readonly Uint8Array[], chunk: Uint8Array): Uint8Array[] => {
  const kept = [...chunks, chunk];
  let bytes = kept.reduce((sum, { length }) => sum + length, 0);
  while (bytes - (kept[0]?.length ?? 0) >= DETECTION_BYTES) {
    bytes -= kept.shift()?.length ?? 0;
  }
  return kept;
};
