import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reachable } from "../../functions/outbound/addresses.ts";
import { type Fence, openFence } from "../../functions/outbound/fence.ts";

/** The proxy of web pages, without a browser: what a page that took over the browser could request from it. */

const folder = mkdtempSync("/tmp/anyform-fence-");
let received = 0;
const canary = createServer((_, response) => {
  received += 1;
  response.end("canary");
});
let port = 0;
let fence: Fence;

beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  ({ port } = canary.address() as AddressInfo);
  fence = await openFence({
    folder,
    name: "proxy",
    reaches: reachable([]),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
});

afterAll(async () => {
  await fence.close();
  canary.close();
  rmSync(folder, { recursive: true });
});

/** @returns the status of the proxy's response */
const send = (method: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: join(folder, "proxy"), method, path, headers: { host: "page.example" } });
    sent.on("response", (response) => resolve(response.resume().statusCode));
    sent.on("connect", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end();
  });

test.each(["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "rebound.example"])(
  "a page does not reach a server of the machine as %s",
  async (host) => {
    const statuses = [
      await send("GET", `http://${host}:${port}/2018-06-01/runtime/invocation/next`),
      await send("CONNECT", `${host}:${port}`),
    ];
    expect(statuses).toEqual([403, 403]);
    expect(received).toBe(0);
  },
);

// The runtime API of Lambda, its tracing daemon and resolver, and the metadata of instances and containers.
test.each(["127.0.0.1:9001", "169.254.100.1:9001", "169.254.79.129:2000", "169.254.169.254:80", "169.254.170.2:80"])(
  "a page does not reach the address %s of the cloud",
  async (address) => {
    expect([await send("GET", `http://${address}/`), await send("CONNECT", address)]).toEqual([403, 403]);
    expect(fence.tally.refused).toContain(address);
  },
);
