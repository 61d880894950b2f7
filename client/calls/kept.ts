/** Results that arrived in the response to their conversion. */

/** The bytes of a result, if they are still available. */
export interface Kept {
  /** @returns the result from its first byte; undefined if it must be downloaded */
  open(): ReadableStream<Uint8Array> | undefined;
  /** Forgets bytes that are not those of the result. */
  drop(): void;
}

/** Keeps results for one client. */
export type Keeper = (response: Response) => Promise<Kept | undefined>;

/** Results up to this size are read at once and stay in memory, as long as the file is referenced. */
const HELD_FILE_BYTES_MAX = 8_000_000;
const HELD_BYTES_MAX = 64_000_000;
/** A larger result stays in its connection until it is read. Browsers have six connections per host. */
const OPEN_MAX = 2;
const OPEN_MS_MAX = 20_000;

export const keeper = (): Keeper => {
  let held = 0;
  let open = 0;
  const forgotten = new FinalizationRegistry<number>((bytes) => {
    held -= bytes;
  });
  const hold = async (response: Response, bytes: number): Promise<Kept | undefined> => {
    held += bytes;
    // A truncated result is downloaded instead.
    let blob: Blob | undefined = await response.blob().catch(() => undefined);
    const kept: Kept = {
      open: () => blob?.stream(),
      drop: () => {
        blob = undefined;
      },
    };
    forgotten.register(kept, bytes);
    return kept;
  };
  const connected = (body: ReadableStream<Uint8Array>): Kept => {
    open += 1;
    let unread: ReadableStream<Uint8Array> | undefined = body;
    const take = (): ReadableStream<Uint8Array> | undefined => {
      const taken = unread;
      unread = undefined;
      if (taken !== undefined) {
        open -= 1;
        clearTimeout(timer);
      }
      return taken;
    };
    const drop = (): void =>
      void take()
        ?.cancel()
        .catch(() => undefined);
    const timer = setTimeout(drop, OPEN_MS_MAX);
    return { open: take, drop };
  };
  return async (response) => {
    const bytes = Number(response.headers.get("content-length") ?? Number.NaN);
    if (bytes <= HELD_FILE_BYTES_MAX && held + bytes <= HELD_BYTES_MAX) {
      return hold(response, bytes);
    }
    if (response.body !== null && open < OPEN_MAX) {
      return connected(response.body);
    }
    await response.body?.cancel().catch(() => undefined);
    return undefined;
  };
};
