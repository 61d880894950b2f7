import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { residentBytes } from "../../functions/engines/core/memory.ts";
import { attacks, type Crowd, openCrowd } from "../hostile/sockets/crowd.ts";
import { PATIENCE } from "../support/patience.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";

/** Limits of each client of the one-machine service. Other addresses of the loopback network are other clients. */

const CONNECTIONS_MAX = 60;
const TOKEN = "a-token-of-an-operator";
/** More than what the connections and requests themselves take. Without limits, it was 2.5 GB. */
const GROWTH_BYTES_MAX = 400_000_000;

let service: LocalService;
let crowds: Crowd[] = [];
beforeAll(async () => {
  const env = { ANYFORM_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS_MAX), ANYFORM_PUBLIC_REQUESTS: "400" };
  // The limits are those of each process.
  service = await startLocalService({ env: { ...env, ANYFORM_METRICS_TOKEN: TOKEN, ANYFORM_API_PROCESSES: "1" } });
});
afterEach(() => {
  for (const crowd of crowds.splice(0)) {
    crowd.close();
  }
  crowds = [];
});
afterAll(async () => {
  await service.kill();
  await service.erase();
});

const crowd = async (name: string, sockets: number, addresses: readonly string[]): Promise<Crowd> => {
  const attack = attacks.find((row) => row.name === name);
  if (attack === undefined) {
    throw new Error(`There is no attack ${name}.`);
  }
  const opened = await openCrowd({ port: portOf(), attack, sockets, addresses });
  crowds.push(opened);
  return opened;
};

const portOf = (): number => Number(new URL(service.url).port);

const get = async (path: string, localAddress: string, headers: Record<string, string> = {}) => {
  const sent = request(new URL(path, service.url), { localAddress, agent: false, headers }).end();
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
};

const gauge = async (name: string): Promise<number> => {
  const { body } = await get("/metrics", "127.0.0.9", { authorization: `Bearer ${TOKEN}` });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1]);
};

/** Sends bytes as they are. @returns the complete response */
const raw = async (bytes: string): Promise<string> => {
  const socket = connect(portOf(), "127.0.0.1");
  socket.write(bytes);
  return text(socket);
};

describe("clients that do not read", () => {
  it.each(["unread format lists", "unread documents"])("hold a limited number of bytes: %s", async (name) => {
    const before = residentBytes(service.process.pid ?? 0);
    await crowd(name, CONNECTIONS_MAX, ["127.0.0.1"]);
    await vi.waitUntil(async () => (await gauge("anyform_connections")) >= CONNECTIONS_MAX, PATIENCE);
    expect((await get("/health", "127.0.0.2")).status).toBe(200);
    expect((await get("/api/v1/formats?source=heic&target=jpg", "127.0.0.2")).status).toBe(200);
    expect(await gauge("anyform_response_waiting_bytes")).toBeLessThanOrEqual(64_000_000);
    expect(residentBytes(service.process.pid ?? 0) - before).toBeLessThan(GROWTH_BYTES_MAX);
    crowds.pop()?.close();
    await vi.waitUntil(async () => (await gauge("anyform_response_waiting_bytes")) === 0, PATIENCE);
  });
});

describe("the connections of one address", () => {
  it("are limited, and leave room for others", async () => {
    await crowd("idle", CONNECTIONS_MAX, ["127.0.0.3"]);
    const refused = await get("/api/v1/formats?source=heic&target=jpg", "127.0.0.3");
    expect([refused.status, refused.headers.connection]).toEqual([503, "close"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(refused.body)).toMatchObject({
      code: "temporarily_unavailable",
      detail: "Too many open connections from your network. Try again in 2 s.",
    });
    expect((await get("/health", "127.0.0.3")).status).toBe(200);
    expect((await get("/api/v1/formats?source=heic&target=jpg", "127.0.0.2")).status).toBe(200);
  });
});

describe("requests that need no key", () => {
  it("are limited for each network, but health checks and requests with a key are not", async () => {
    const address = "127.0.0.4";
    const statuses = new Set<number>();
    let last = await get("/api/v1/formats?source=heic&target=jpg", address);
    for (let count = 0; count < 1_000 && last.status === 200; count += 1) {
      last = await get("/api/v1/formats?source=heic&target=jpg", address);
      statuses.add(last.status);
    }
    expect([...statuses]).toEqual([200, 429]);
    expect(JSON.parse(last.body)).toMatchObject({ code: "rate_limited", retryable: true });
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
    expect((await get("/health", address)).status).toBe(200);
    const key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
    expect((await get("/api/v1/account", address, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await get("/api/v1/formats?source=heic&target=jpg", "127.0.0.2")).status).toBe(200);
  });
});

describe("unusual requests", () => {
  it("with two hosts are rejected, and the connection is closed", async () => {
    for (const hosts of ["host: localhost\r\nhost: evil.example\r\n", "Host: localhost\r\nHOST: localhost\r\n"]) {
      const reply = await raw(`GET /api/v1/account HTTP/1.1\r\n${hosts}\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
      expect(reply.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });

  it("for a tunnel are answered", async () => {
    const reply = await raw("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n");
    expect(reply).toMatch(/^HTTP\/1\.1 405 .*"code":"method_not_allowed"/s);
  });

  it("for metrics without the token get 401, and never a page", async () => {
    const missing = await get("/metrics", "127.0.0.2");
    expect([missing.status, missing.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="anyform metrics"']);
    expect((await get("/metrics", "127.0.0.2", { authorization: "Bearer wrong" })).status).toBe(401);
  });
});
