import { createServer, type ServerResponse } from "node:http";
import { Agent, fetch, type Response } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type BusySettings, busyRequests } from "../../../local/http/limits/busy-requests.ts";
import { loopPressure, type Pressure } from "../../../local/http/limits/pressure.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";

const calm: Pressure = { isHigh: () => false, stop: () => {} };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) {
    await close();
  }
});

/** The address is a header, because the test has only one. The server responds to `/held` when the test releases it, and immediately to everything else. */
const serverWith = async (settings: BusySettings) => {
  const busy = busyRequests({ pressure: calm, ...settings });
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const refusal = busy.enter(request, response, String(request.headers["x-client"]));
    if (refusal !== undefined) {
      response.writeHead(refusal.statusCode ?? 0, refusal.headers as Record<string, string>).end(refusal.body);
    } else if (request.url === "/held") {
      held.push(response);
    } else {
      response.end("served");
    }
  });
  server.on("close", busy.stop);
  const origin = await addressOf(server);
  const agent = new Agent({ connections: 50 });
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => agent.destroy(),
  );
  const get = (path: string, client: string): Promise<Response> =>
    fetch(`${origin}${path}`, { dispatcher: agent, headers: { "x-client": client } });
  const hold = async (client: string): Promise<ServerResponse> => {
    const before = held.length;
    get("/held", client).catch(() => undefined);
    await vi.waitUntil(() => held.length > before, PATIENCE);
    return held[before] as ServerResponse;
  };
  return { origin, get, hold };
};

const expectRefusal = async (response: Response): Promise<void> => {
  expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem).toMatchObject({ code: "temporarily_unavailable", status: 503, retryable: true });
  expect(problem.request_id).toBe(response.headers.get("x-request-id"));
};

describe("concurrent requests", () => {
  it("of one client use at most half of the slots, so another client is served", async () => {
    const { get, hold } = await serverWith({ requestsMax: 8 });
    const [first] = [await hold("flood"), await hold("flood"), await hold("flood"), await hold("flood")];
    await expectRefusal(await get("/api/v1/account", "flood"));
    expect((await get("/", "other")).status).toBe(200);
    first.end();
    await vi.waitUntil(async () => (await get("/", "flood")).status === 200, PATIENCE);
  });

  it("free their slot when the client disconnects", async () => {
    const { get, hold } = await serverWith({ requestsMax: 2 });
    const response = await hold("flood");
    await expectRefusal(await get("/", "flood"));
    response.req.socket.destroy();
    await vi.waitUntil(async () => (await get("/", "flood")).status === 200, PATIENCE);
  });

  it("of one IPv6 /48 are limited together, and more than those of one /64", async () => {
    const { get, hold } = await serverWith({ requestsMax: 12 });
    const flood = [1, 2, 3, 4, 5, 6].map((network) => `2001:db8:0:${network}::1`);
    for (const client of flood) {
      await hold(client);
    }
    await expectRefusal(await get("/", "2001:db8:0:7::1"));
    expect((await get("/", "2001:db8:1::1")).status).toBe(200);
  });

  it("are rejected without revealing a download token", async () => {
    const { get } = await serverWith({ pressure: { isHigh: () => true, stop: () => {} } });
    expect(await (await get("/api/v1/download/dl_secret", "a")).text()).not.toContain("dl_secret");
    expect(await (await get("/files/uploads/secret?signature=secret", "a")).text()).not.toContain("secret");
  });
});

describe("event loop pressure", () => {
  /** Delays the timer by the given milliseconds. */
  const late = (clock: { now: number }, milliseconds: number): void => {
    clock.now += 500 + milliseconds;
    vi.advanceTimersByTime(500);
  };

  it("is high after two late samples in a row, until one is on time", () => {
    vi.useFakeTimers();
    const clock = { now: 0 };
    const pressure = loopPressure(() => clock.now);
    late(clock, 5_000);
    expect(pressure.isHigh()).toBe(false);
    late(clock, 1_500);
    expect(pressure.isHigh()).toBe(true);
    late(clock, 20);
    expect(pressure.isHigh()).toBe(false);
    pressure.stop();
  });
});
