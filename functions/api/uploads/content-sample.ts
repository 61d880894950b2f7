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
    tail: (): Uint8Array => joined(tail),
  };
};

/** A single chunk is not copied. */
const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const [only, second] = chunks;
  return only !== undefined && second === undefined ? only : Buffer.concat(chunks);
};

/** @returns the last bytes so far; a chunk that contains earlier ones too is not copied */
const lastOf = (chunks: readonly Uint8Array[], chunk: Uint8Array): Uint8Array[] => {
  const kept = [...chunks, chunk];
  let surplus = kept.reduce((sum, { length }) => sum + length, -DETECTION_BYTES);
  for (let [first] = kept; first !== undefined && surplus >= first.length; [first] = kept) {
    kept.shift();
    surplus -= first.length;
  }
  const [first, ...others] = kept;
  return first === undefined || surplus <= 0 ? kept : [first.subarray(surplus), ...others];
};
