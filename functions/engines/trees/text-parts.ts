/** Gathers a long text in pieces: as bytes, which take a third of the memory that an array of its words would. */
export interface TextParts {
  push(...pieces: readonly string[]): void;
  /** @returns whether nothing was pushed yet but the empty text */
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
      // A pair of surrogates is never cut: pieces are whole texts.
      if (pending.length > CHUNK_CHARACTERS) {
        chunks.push(Buffer.from(pending));
        pending = "";
      }
    },
    isEmpty: () => pending === "" && chunks.length === 0,
    done: () => (pending === "" ? chunks : [...chunks, Buffer.from(pending)]),
  };
};
