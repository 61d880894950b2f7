import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiResult } from "../../../functions/api/request.ts";
import { busyResult } from "../refusals.ts";
import { onResponseEnd } from "../response-end.ts";
import { networkShares } from "./network-shares.ts";
import { loopPressure, type Pressure } from "./pressure.ts";

/** Immediately rejects requests that the gateway could not serve in time. */
export interface BusyRequests {
  /**
   * @param client the address of the client
   * @returns the rejection of the request; undefined if it is accepted and holds a slot until its response is sent
   */
  enter(request: IncomingMessage, response: ServerResponse, client: string): ApiResult | undefined;
  stop(): void;
}

/**
 * Concurrent requests of all clients. Most of them wait for a job or for bytes; the others take about a millisecond
 * each, so a client gets a response within 2 s even when all arrive at once.
 */
const REQUESTS_MAX = 2_000;

export interface BusySettings {
  /** @default REQUESTS_MAX */
  readonly requestsMax?: number;
  /** @default that of this process */
  readonly pressure?: Pressure;
}

/**
 * A client is an address. A key or session cannot be used instead: it is not verified yet, and a client could send a
 * new one with each request.
 */
export const busyRequests = ({ requestsMax = REQUESTS_MAX, pressure = loopPressure() }: BusySettings): BusyRequests => {
  const slots = networkShares({ max: requestsMax });
  return {
    enter: (request, response, client) => {
      const release = pressure.isHigh() ? undefined : slots.take(client);
      if (release === undefined) {
        return busyResult(request, "Too many concurrent requests.");
      }
      onResponseEnd(request, response, release);
      return undefined;
    },
    stop: pressure.stop,
  };
};
