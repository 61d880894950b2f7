import { networkShares } from "./network-shares.ts";
import { onResponseEnd } from "./response-end.ts";
import type { ClientExchange } from "./write-result.ts";

/** Limits the memory of responses that clients do not read. */
export interface WaitingBytes {
  /**
   * Holds bytes until the client has received the response, or has disconnected.
   *
   * @param shared the content, if other responses share it: it is counted once
   * @returns whether the client may hold them
   */
  hold(exchange: ClientExchange, bytes: number, shared?: Uint8Array): boolean;
  /** @returns the bytes that all clients hold */
  held(): number;
}

/** The buffers of a file that is read and sent: one chunk of 64 kB in each. */
export const FILE_BUFFERS_BYTES = 128_000;

/** In all, and of one client: the buffers of 2,000 files, and of 500, as many as there can be connections. */
const BYTES_MAX = 2_000 * FILE_BUFFERS_BYTES;
const CLIENT_BYTES_MAX = 500 * FILE_BUFFERS_BYTES;

/** Content that several responses share. */
interface Shared {
  responses: number;
  readonly release: () => void;
}

export const waitingBytes = ({ max = BYTES_MAX, clientMax = CLIENT_BYTES_MAX } = {}): WaitingBytes => {
  const shares = networkShares({ max, clientMax });
  const known = new Map<Uint8Array, Shared>();
  const releaseOf = ({ client }: ClientExchange, bytes: number, content: Uint8Array | undefined) => {
    const shared = content === undefined ? undefined : known.get(content);
    const release = shared?.release ?? shares.take(client, bytes);
    if (content === undefined || release === undefined) {
      return release;
    }
    const entry = shared ?? { responses: 0, release };
    known.set(content, entry);
    entry.responses += 1;
    return () => {
      entry.responses -= 1;
      if (entry.responses === 0) {
        known.delete(content);
        release();
      }
    };
  };
  return {
    held: shares.held,
    hold: (exchange, bytes, content) => {
      const release = releaseOf(exchange, bytes, content);
      if (release !== undefined) {
        onResponseEnd(exchange.request, exchange.response, release);
      }
      return release !== undefined;
    },
  };
};
