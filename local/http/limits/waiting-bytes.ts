import { onResponseEnd } from "../response-end.ts";
import type { ClientExchange } from "../write-result.ts";
import { networkShares } from "./network-shares.ts";

/** Limits the memory of responses that clients do not read. */
export interface WaitingBytes {
  /**
   * Holds bytes until the client has received the response, or has disconnected.
   *
   * @param shared the content, if all responses share it
   * @returns whether the client may hold them
   */
  hold(exchange: ClientExchange, bytes: number, shared?: Uint8Array): boolean;
  /** @returns the bytes that all clients hold */
  held(): number;
}

/** The buffers of a file that is read and sent: one chunk of 64 kB in each. */
export const FILE_BUFFERS_BYTES = 128_000;

/** The buffers of a body that is sent while it is created: 64 kB on each side of the connection's stream. */
export const STREAM_BUFFERS_BYTES = 128_000;

/** In all, and of one client: the buffers of 2,000 files, and of 500, as many as there can be connections. */
const BYTES_MAX = 2_000 * FILE_BUFFERS_BYTES;
const CLIENT_BYTES_MAX = 500 * FILE_BUFFERS_BYTES;

/**
 * What a response takes whose content is shared. The system buffers up to 4 MB for a client that does not read, and 64
 * clients of a network, which read such a response at the same time, are many.
 */
const SHARED_BYTES_MAX = 1_000_000;

export const waitingBytes = ({ max = BYTES_MAX, clientMax = CLIENT_BYTES_MAX } = {}): WaitingBytes => {
  const shares = networkShares({ max, clientMax });
  return {
    held: shares.held,
    hold: ({ request, response, client }, bytes, shared) => {
      const release = shares.take(client, shared === undefined ? bytes : Math.min(bytes, SHARED_BYTES_MAX));
      if (release !== undefined) {
        onResponseEnd(request, response, release);
      }
      return release !== undefined;
    },
  };
};
