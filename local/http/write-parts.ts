import type { FairStarts } from "./limits/fair-starts.ts";
import { onResponseEnd } from "./response-end.ts";
import type { ClientExchange } from "./write-result.ts";

/** Copying this many bytes to the system takes about half a millisecond. */
export const PART_BYTES_MAX = 256_000;

/**
 * Writes a body in parts, without its end: each one when the client has read the previous ones, and in turns with the
 * requests of other clients.
 */
export const writeParts = async (exchange: ClientExchange, body: Uint8Array, starts: FairStarts): Promise<void> => {
  const { request, response, client } = exchange;
  /** Continues after a part; the last call is the end of the connection. */
  let proceed = (): void => undefined;
  onResponseEnd(request, response, () => proceed());
  for (let at = 0; at < body.length && !request.socket.destroyed; at += PART_BYTES_MAX) {
    if (at > 0) {
      await starts.wait(client);
    }
    const isRead = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    if (!response.write(body.subarray(at, at + PART_BYTES_MAX)) && !request.socket.destroyed) {
      response.once("drain", proceed);
      await isRead;
      response.off("drain", proceed);
    }
  }
};
