/** Collects a long text from pieces as bytes, which need a third of the memory of an array of strings. */
export interface TextParts {
  push(...pieces: readonly string[]): void;
  /** @returns whether only empty texts were pushed so far */
  isEmpty(): boolean;
  done(): Uint8Array[];
}

const CHUNK_CHARACTERS = 65_536;

export const textParts = (): TextParts => {
  const chunks: Buffer[] = [];
  let pending = "";
  return {
    push: (...pieces) => {
      for (const piece of pieces) {
        pending += piece;
      }
      // A surrogate pair is never split: pieces are complete texts.
      if (pending.length > CHUNK_CHARACTERS) {
        chunks.push(Buffer.from(pending));
        pending = "";
      }
    },
    isEmpty: () => pending === "" && chunks.length === 0,
    done: () => (pending === "" ? chunks : [...chunks, Buffer.from(pending)]),
  };
};
