import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reachable } from "../../../../functions/outbound/addresses.ts";
import { openFence } from "../../../../functions/outbound/fence.ts";
import type { Resolve } from "../../../../functions/outbound/fence-access.ts";
import { FENCE_LIMITS } from "../../../../functions/outbound/fence-limits.ts";
import { addressOf } from "../../../support/address.ts";
import { attackPages, rawRequests } from "../../support/attacks/web-pages.ts";
import { codeOf } from "../../support/convert.ts";
import { poppler } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { expendablePool, openPage, type PageTask, sandboxedPool } from "../../support/site.ts";
import { isInstalled } from "../../support/task.ts";

/**
 * Pages that try to reach private servers, in the real browser and sandbox. Each test ends with the same check: no
 * server was reached. That the attacks were made shows in what the proxy refused.
 */

const scratch = scratchFolder();
const sandboxed = isInstalled("web") ? await sandboxedPool(scratch, 2) : undefined;
const expendable = isInstalled("chromium") ? expendablePool(2) : undefined;

/** On one machine there is a sandbox around the browser; on AWS only the browser's own settings hold a page. */
const PLACES = [
  { place: "in a sandbox", pool: sandboxed },
  { place: "in a machine without one", pool: expendable },
];

/** Private servers that accept anything on one port of several addresses. */
const canaries: (Server | UdpSocket)[] = [];
const reached: string[] = [];
let canary = 0;

const listenOn = async (host: string): Promise<void> => {
  const server = createServer((socket) => {
    reached.push(`tcp ${host}`);
    socket.on("error", () => {}).destroy();
  });
  server.listen(canary, host);
  await once(server, "listening");
  const address = server.address();
  canary = typeof address === "object" && address !== null ? address.port : canary;
  canaries.push(server);
};

const listenForPackets = async (): Promise<void> => {
  const socket = createSocket("udp4", () => reached.push("udp 127.0.0.1"));
  socket.bind(canary, "127.0.0.1");
  await once(socket, "listening");
  canaries.push(socket);
};

describe("attacks of web pages", () => {
  let server: HttpServer;
  let origin: string;
  let page = "";
  let lookups: string[] = [];
  /** Only the allowed server is public; each further lookup of the rebinding name has another answer. */
  const resolve: Resolve = async (host) => {
    lookups.push(host);
    const again = lookups.filter((name) => name === host).length > 1;
    if (host === "public.test" || (host === "rebind.test" && !again)) {
      return [{ address: "127.0.0.1", family: 4 }];
    }
    const isMixed = host === "mixed.private.test";
    return [...(isMixed ? [{ address: "8.8.8.8", family: 4 }] : []), { address: "127.0.0.2", family: 4 }];
  };

  beforeAll(async () => {
    await listenOn("127.0.0.1");
    await listenOn("127.0.0.2");
    await listenOn("::1").catch(() => {});
    await listenForPackets();
    server = createHttpServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
      if (pathname === "/redirect") {
        const location = searchParams.get("to") ?? "/";
        response.writeHead(Number(searchParams.get("code") ?? 302), { location }).end();
        return;
      }
      if (pathname === "/loop") {
        response.writeHead(302, { location: "/loop" }).end();
        return;
      }
      if (pathname === "/worker.js") {
        const code = `self.addEventListener("install", () => fetch("http://service-worker.private.test:${canary}/", { mode: "no-cors" }));`;
        response.writeHead(200, { "content-type": "text/javascript" }).end(code);
        return;
      }
      if (pathname === "/bytes") {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(Buffer.concat([Buffer.from("<p>x</p><!-- "), Buffer.alloc(5_000_000, "y")]));
        return;
      }
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "alt-svc": `h3="127.0.0.1:${canary}"`,
        link: `<http://header.private.test:${canary}/>; rel=preload; as=image`,
      });
      response.end(page);
    });
    origin = (await addressOf(server)).replace("127.0.0.1", "public.test");
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    for (const each of canaries) {
      each.close();
    }
    await Promise.all(PLACES.map(({ pool }) => pool?.stop()));
  });

  const port = () => new URL(origin).port;
  const openIn = (pool: (typeof PLACES)[number]["pool"], html: string, task: Partial<PageTask> = {}) => {
    page = html;
    lookups = [];
    const allowed = [`127.0.0.1:${port()}`];
    if (pool === undefined) {
      throw new Error("No sandbox is available.");
    }
    return openPage(pool, scratch, { page: `${origin}/`, allowed, resolve, ...task });
  };

  describe.each(PLACES.filter(({ pool }) => pool !== undefined))("in a browser $place", ({ pool }) => {
    const open = (html: string, task?: Partial<PageTask>) => openIn(pool, html, task);

    test.each(["subresources", "scripts", "silent", "addresses"])("%s reach no private server", async (name) => {
      const attacks = attackPages({ canary, origin })[name];
      const { result, fence } = await open(attacks?.html ?? "", { options: { wait_ms: 2_000 } });
      const { output } = await result;
      expect(poppler("pdftotext", output, "-") ?? "").not.toMatch(/root:|Chromium|Chrome\//);
      expect([...fence.tally.refused]).toEqual(expect.arrayContaining([...(attacks?.refused ?? [])]));
      expect([...fence.tally.reached]).toEqual(["public.test"]);
      expect(reached).toEqual([]);
    });

    test.each([
      ["redirects there", () => `${origin}/redirect?to=http://moved.private.test:${canary}/`],
      ["redirects there with 307", () => `${origin}/redirect?code=307&to=http://127.0.0.1:${canary}/`],
      ["is there", () => `http://127.0.0.1:${canary}/`],
      ["is there by its IPv6 address", () => `http://[::1]:${canary}/`],
      ["is there with TLS", () => `https://127.0.0.1:${canary}/`],
      ["redirects to a file", () => `${origin}/redirect?to=file:///etc/passwd`],
      ["redirects to a page of the browser", () => `${origin}/redirect?to=chrome://version`],
      ["redirects to itself", () => `${origin}/loop`],
    ])("a page that %s is not loaded", async (_, url) => {
      const { result } = await open("", { page: url() });
      expect(await codeOf(result)).toBe("page_unavailable");
      expect(reached).toEqual([]);
    });

    test.each([
      ["meta refresh", () => `<meta http-equiv="refresh" content="0; url=http://meta.private.test:${canary}/">`],
      ["location", () => `<script>location = "http://location.private.test:${canary}/"</script>`],
      ["location of a file", () => '<p>x<script>location = "file:///etc/passwd"</script>'],
    ])("a page that moves on by %s reaches no private server", async (_, html) => {
      const { result } = await open(html(), { options: { wait_ms: 1_000 } });
      const output = await result.then(
        (converted) => converted.output,
        () => undefined,
      );
      expect(output === undefined ? "" : (poppler("pdftotext", output, "-") ?? "")).not.toContain("root:");
      expect(reached).toEqual([]);
    });

    test("a name that changes its address is looked up once", async () => {
      const html = `<img src="/a"><script>fetch("http://rebind.test:${canary}/").catch(() => {}); setTimeout(() => fetch("/b"), 300)</script>`;
      const { result, fence } = await open(html, {
        page: `http://rebind.test:${port()}/`,
        options: { wait_ms: 1_500 },
      });
      await result;
      expect(lookups.filter((name) => name === "rebind.test")).toHaveLength(1);
      expect([...fence.tally.refused]).toContain(`rebind.test:${canary}`);
      expect(reached).toEqual([]);
    });

    test("a page that never yields ends at the time limit", async () => {
      const { result } = await open("<p>x<script>for (;;);</script>", { timeoutMs: 6_000 });
      expect(await codeOf(result)).toBe("timed_out");
    });

    test("a page that exceeds the bytes is cut off", async () => {
      const limits = { ...FENCE_LIMITS, bytesMax: 100_000 };
      const { result, fence } = await open("", { page: `${origin}/bytes`, limits });
      await result.catch(() => {});
      expect(fence.tally.exceeded).toBe("bytesMax");
      expect(fence.tally.bytesIn).toBeLessThan(1_000_000);
    });
  });

  test("raw requests to the proxy reach no private server", async () => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    const reaches = reachable([`127.0.0.1:${port()}`]);
    const fence = await openFence({ folder, name: "network", reaches, resolve });
    const requests = rawRequests({ canary, origin });
    for (const request of requests) {
      expect(await answerTo(join(folder, "network"), request), request).toMatch(/^(?:HTTP\/1\.1 [45]\d\d|$)/);
    }
    await fence.close();
    expect([...fence.tally.reached]).toEqual([]);
    expect(reached).toEqual([]);
  });

  test("are at least 60", () => {
    const pages = Object.values(attackPages({ canary, origin })).reduce((sum, { count }) => sum + count, 0);
    expect(pages + rawRequests({ canary, origin }).length).toBeGreaterThanOrEqual(60);
  });
});

/** @returns the first bytes of the response; empty if the connection is closed without one */
const answerTo = async (path: string, request: string): Promise<string> => {
  const socket = connect(path);
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(request);
  await Promise.race([once(socket, "close"), once(socket, "data"), pause(3_000)]);
  socket.destroy();
  return answer;
};
