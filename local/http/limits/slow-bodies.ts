import type { IncomingMessage, ServerResponse } from "node:http";

export interface BodySpeed {
  /** How long a body may take regardless of its size, in milliseconds. */
  readonly graceMs: number;
  /** The minimum average speed after that. */
  readonly bytesPerSecond: number;
}

/**
 * 64 kbit/s is slower than any connection that could upload a file. The grace period includes pauses of the service,
 * such as a locked database. A body of 64 kB gets 38 s; one of 1 byte every 20 s ends after 30 s.
 */
export const BODY_SPEED_MIN: BodySpeed = { graceMs: 30_000, bytesPerSecond: 8_000 };

/** Minimum time between two checks of a body, in milliseconds. */
const CHECK_MS = 100;

/**
 * Ends a request whose body arrives too slowly: with 408 if nothing was sent yet, and by closing the connection. The
 * time follows the bytes that have arrived, so it also limits bodies of unknown or wrongly declared size.
 */
export const limitSlowBody = (request: IncomingMessage, response: ServerResponse, speed: BodySpeed): void => {
  if (request.complete) {
    return;
  }
  const { socket } = request;
  const [startedAt, bytesBefore] = [performance.now(), socket.bytesRead];
  const check = (): void => {
    const elapsed = performance.now() - startedAt;
    const allowed = speed.graceMs + ((socket.bytesRead - bytesBefore) / speed.bytesPerSecond) * 1_000;
    if (request.complete) {
      return;
    }
    if (elapsed >= allowed) {
      endWithTimeout(response);
    } else {
      timer = setTimeout(check, Math.max(CHECK_MS, allowed - elapsed));
    }
  };
  let timer = setTimeout(check, speed.graceMs);
  const clear = (): void => clearTimeout(timer);
  request.once("end", clear).once("close", clear);
  response.once("close", clear);
};

/** The handler still waits for the body: closing the connection makes it stop and delete what it has stored. */
const endWithTimeout = ({ headersSent, socket }: ServerResponse): void => {
  if (!headersSent) {
    socket?.write("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  }
  socket?.destroySoon();
};
