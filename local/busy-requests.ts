import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiResult } from "../functions/api/request.ts";
import { RequestError } from "../functions/domain/errors.ts";
import { problemView } from "../functions/domain/problem.ts";
import { fairPlaces } from "./fair-places.ts";
import { loopPressure, type Pressure } from "./pressure.ts";

/** Refuses at once what the gateway could only answer too late. */
export interface BusyRequests {
  /** To be told of each connection. */
  connected(socket: Socket): void;
  /** @returns the answer to a request for which there is no room; undefined: it has its place until its response is out */
  enter(request: IncomingMessage, response: ServerResponse): ApiResult | undefined;
  stop(): void;
}

/**
 * Requests in hand at once, of all clients. Most of them wait for a job, or for bytes; those that do not take a
 * millisecond of the process each, so a client is answered within 2 s even when all of them come at once.
 */
const REQUESTS_MAX = 2_000;
const RETRY_AFTER_SECONDS = 2;

export interface BusySettings {
  /** Connections that are served; a request on one of those above is refused, and the connection closed. */
  readonly connectionsMax: number;
  /** @default REQUESTS_MAX */
  readonly requestsMax?: number;
  /** @default that of this process */
  readonly pressure?: Pressure;
}

export const busyRequests = (settings: BusySettings): BusyRequests => {
  const { connectionsMax, requestsMax = REQUESTS_MAX, pressure = loopPressure() } = settings;
  const places = fairPlaces(requestsMax);
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
      // Whoever looks after the service wants to hear from it just then.
      if (request.url === "/health" || request.url === "/metrics") {
        return undefined;
      }
      if (surplus.has(request.socket)) {
        response.setHeader("connection", "close");
        return refusal(request, "Too many connections are open.");
      }
      const giveBack = pressure.isHigh() ? undefined : places.take(partyOf(request));
      if (giveBack === undefined) {
        return refusal(request, "Too many requests are being served.");
      }
      response.once("close", giveBack);
      return undefined;
    },
    stop: pressure.stop,
  };
};

/**
 * Whose request it is, before anyone has looked the key up: one that is none holds no more than its own places. Without a
 * key it is the address.
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
