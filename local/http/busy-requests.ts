import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiResult } from "../../functions/api/request.ts";
import { RequestError } from "../../functions/domain/errors.ts";
import { problemView } from "../../functions/domain/problem.ts";
import { fairSlots } from "../queue/fair-slots.ts";
import { loopPressure, type Pressure } from "./pressure.ts";

/** Immediately rejects requests that the gateway could not serve in time. */
export interface BusyRequests {
  /** Must be called for each connection. */
  connected(socket: Socket): void;
  /** @returns the rejection of the request; undefined if it is accepted and holds a slot until its response is sent */
  enter(request: IncomingMessage, response: ServerResponse): ApiResult | undefined;
  stop(): void;
}

/**
 * Concurrent requests of all clients. Most of them wait for a job or for bytes; the others take about a millisecond
 * each, so a client gets a response within 2 s even when all arrive at once.
 */
const REQUESTS_MAX = 2_000;
const RETRY_AFTER_SECONDS = 2;

export interface BusySettings {
  /** Maximum number of connections. Requests on further connections are rejected, and the connection is closed. */
  readonly connectionsMax: number;
  /** @default REQUESTS_MAX */
  readonly requestsMax?: number;
  /** @default that of this process */
  readonly pressure?: Pressure;
}

export const busyRequests = (settings: BusySettings): BusyRequests => {
  const { connectionsMax, requestsMax = REQUESTS_MAX, pressure = loopPressure() } = settings;
  const slots = fairSlots(requestsMax);
  const surplus = new WeakSet<Socket>();
  let open = 0;
  return {
    connected: (socket) => {
      open += 1;
      socket.once("close", () => {
        open -= 1;
      });
      if (open > connectionsMax) {
        surplus.add(socket);
      }
    },
    enter: (request, response) => {
      // Operators need these endpoints most under load.
      if (request.url === "/health" || request.url === "/metrics") {
        return undefined;
      }
      if (surplus.has(request.socket)) {
        response.setHeader("connection", "close");
        return refusal(request, "Too many open connections.");
      }
      const release = pressure.isHigh() ? undefined : slots.take(partyOf(request));
      if (release === undefined) {
        return refusal(request, "Too many concurrent requests.");
      }
      response.once("close", release);
      return undefined;
    },
    stop: pressure.stop,
  };
};

/**
 * The client of a request, before its key is verified: an invalid key only uses up its own slots. Without a key, the
 * client's address.
 */
const partyOf = ({ headers, socket }: IncomingMessage): string => headers.authorization ?? socket.remoteAddress ?? "";

const refusal = ({ headers, url = "/" }: IncomingMessage, detail: string): ApiResult => {
  const error = new RequestError("temporarily_unavailable", `${detail} Try again in ${RETRY_AFTER_SECONDS} s.`);
  const requestId = randomUUID();
  const path = url.startsWith("/api/") && !url.startsWith("/api/v1/download/") ? (url.split("?")[0] ?? "/") : "/";
  const body = problemView({ baseUrl: `http://${headers.host ?? "localhost"}`, path, requestId }, error);
  return {
    statusCode: body.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "retry-after": String(RETRY_AFTER_SECONDS),
      "x-request-id": requestId,
    },
    body: JSON.stringify(body),
  };
};
