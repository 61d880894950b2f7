import { once } from "node:events";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

/** A client that opens a connection for each request, and waits for the response. */

export interface GoodClient {
  readonly url: string;
  readonly key: string;
  readonly localAddress: string;
}

/** The longest time in milliseconds until the response was complete, and the request that took it. */
export interface Waits {
  readonly requests: number;
  readonly worstMs: number;
  readonly worst: string;
  /** Requests that got no response, or another status than 200 or 201. */
  readonly failed: readonly string[];
}

/** Between two requests: a client without a pause would exceed its own limits. */
const PAUSE_MS = 20;
const WAIT_MS_MAX = 20_000;
const FILE = "a,b\r\n1,2\r\n".repeat(1_000);
const FORM = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${FILE}\r\n--b--\r\n`;

const calls = [
  { method: "GET", path: "/health" },
  { method: "GET", path: "/api/v1/formats?source=heic&target=jpg" },
  { method: "GET", path: "/api/v1/account" },
  { method: "GET", path: "/api/v1/convert?limit=1" },
  { method: "POST", path: "/api/v1/upload", body: FORM, type: "multipart/form-data; boundary=b" },
] as const;

type Call = (typeof calls)[number];

/** Sends requests one after the other until the time is over. */
export const useService = async (client: GoodClient, milliseconds: number): Promise<Waits> => {
  const failed: string[] = [];
  let [requests, worstMs, worst] = [0, 0, ""];
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    for (const call of calls) {
      const start = performance.now();
      const problem = await problemOf(client, call);
      const waited = performance.now() - start;
      requests += 1;
      if (problem !== undefined) {
        failed.push(`${call.method} ${call.path}: ${problem}`);
      }
      if (waited > worstMs) {
        [worstMs, worst] = [waited, `${call.method} ${call.path}`];
      }
      await pause(PAUSE_MS);
    }
  }
  return { requests, worstMs, worst, failed };
};

/** @returns why the request failed, if it did */
const problemOf = async ({ url, key, localAddress }: GoodClient, call: Call): Promise<string | undefined> => {
  const sent = request(new URL(call.path, url), {
    method: call.method,
    agent: false,
    localAddress,
    signal: AbortSignal.timeout(WAIT_MS_MAX),
    headers: { authorization: `Bearer ${key}`, ...("type" in call && { "content-type": call.type }) },
  });
  sent.end("body" in call ? call.body : undefined);
  try {
    const [response] = await once(sent, "response");
    const body = await buffer(response);
    return response.statusCode < 300 ? undefined : `${response.statusCode} ${body.toString().slice(0, 200)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
