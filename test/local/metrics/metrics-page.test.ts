import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type MetricsAccess, metricsPage } from "../../../local/metrics/metrics-page.ts";
import { metricsRegistry } from "../../../local/metrics/prometheus.ts";
import { readSettings } from "../../../local/settings.ts";
import { addressOf } from "../../support/address.ts";
import { readExposition } from "../../support/exposition.ts";

/** Access to the metrics of one machine. */

const TOKEN = "a-token-of-an-operator";

let server: Server | undefined;
afterEach(() => server?.close());

/** A server with the page. `from` simulates the client address, because the test runs on one machine. */
const pageFor = async (access: MetricsAccess, { from = "", clock = Date.now } = {}) => {
  let reads = 0;
  const registry = metricsRegistry([]);
  registry.onRead(async () => {
    reads += 1;
    return [{ metric: "start_time_seconds", labels: {}, value: reads }];
  });
  const page = metricsPage(registry, { access, clock });
  server = createServer(async (request, response) => {
    if (from !== "") {
      Object.defineProperty(request.socket, "remoteAddress", { value: from });
    }
    if (!(await page(request, response))) {
      response.writeHead(404).end();
    }
  });
  const url = await addressOf(server);
  return (headers: OutgoingHttpHeaders = {}, method = "GET") => asked(url, headers, method);
};

const asked = (url: string, headers: OutgoingHttpHeaders, method: string) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const request = httpRequest(`${url}/metrics`, { method, headers, agent: false });
      request.on("error", reject).on("response", async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
      });
      request.end();
    },
  );

describe("by default", () => {
  it("the same machine can read them in Prometheus format, without caching", async () => {
    const ask = await pageFor("this-machine");
    const { status, headers, body } = await ask();
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    expect(readExposition(body).map(({ name }) => name)).toEqual(["anyform_start_time_seconds"]);
    expect(await ask({ host: "localhost:8080" })).toMatchObject({ status: 200 });
    expect(await ask({ host: "[::1]:8080" })).toMatchObject({ status: 200 });
    expect(await ask({}, "HEAD")).toMatchObject({ status: 200, body: "" });
  });

  it.each(["10.0.0.9", "192.168.1.5", "::ffff:10.0.0.9", "2001:db8::1", "128.0.0.1", ""])(
    "another machine at %j gets 404",
    async (from) => {
      const ask = await pageFor("this-machine", { from: from || "unknown" });
      expect(await ask()).toMatchObject({ status: 404, body: "" });
    },
  );

  it.each(["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"])(
    "a request through a local proxy with the header %s gets 404",
    async (name) => {
      const ask = await pageFor("this-machine");
      expect(await ask({ [name]: "127.0.0.1" })).toMatchObject({ status: 404 });
    },
  );

  it.each(["files.example.com", "127.0.0.1.example.com", "localhost.example.com", "10.0.0.9:8080", "a b"])(
    "a request for the host %s gets 404, to prevent DNS rebinding",
    async (host) => {
      const ask = await pageFor("this-machine");
      expect(await ask({ host })).toMatchObject({ status: 404 });
    },
  );

  it("other methods are rejected", async () => {
    const ask = await pageFor("this-machine");
    expect(
      (await Promise.all(["POST", "DELETE", "PUT"].map((method) => ask({}, method)))).map(({ status }) => status),
    ).toEqual([404, 404, 404]);
  });
});

it("public metrics can be read by everyone", async () => {
  const ask = await pageFor("public", { from: "10.0.0.9" });
  expect(await ask({ host: "files.example.com", "x-forwarded-for": "10.0.0.9" })).toMatchObject({ status: 200 });
});

it("if a token is set, requests from anywhere need it, including local ones", async () => {
  const ask = await pageFor({ token: TOKEN }, { from: "10.0.0.9" });
  expect(await ask({ authorization: `Bearer ${TOKEN}`, host: "files.example.com" })).toMatchObject({ status: 200 });
  for (const authorization of [undefined, "", TOKEN, `Bearer ${TOKEN}x`, "Bearer ", `Basic ${TOKEN}`]) {
    const refused = await ask(authorization === undefined ? {} : { authorization });
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer realm="anyform metrics"' } });
    expect(refused.body).not.toContain("anyform_");
  }
  server?.close();
  const here = await pageFor({ token: TOKEN });
  expect(await here()).toMatchObject({ status: 401 });
});

it("a second request within a second returns the same cached response", async () => {
  let now = 1_000;
  const ask = await pageFor("this-machine", { clock: () => now });
  const bodies = async () => [(await ask()).body, (await ask()).body].map((body) => body.split(" ").at(-1)?.trim());
  expect(await bodies()).toEqual(["1", "1"]);
  now += 1_000;
  expect(await bodies()).toEqual(["2", "2"]);
});

describe("the settings of an operator", () => {
  const accessOf = (environment: Record<string, string>) => readSettings(environment).metricsAccess;

  it("are read", () => {
    expect(accessOf({})).toBe("this-machine");
    expect(accessOf({ ANYFORM_METRICS: "public" })).toBe("public");
    expect(accessOf({ ANYFORM_METRICS_TOKEN: TOKEN })).toEqual({ token: TOKEN });
  });

  it.each([
    [{ ANYFORM_METRICS: "yes" }, /ANYFORM_METRICS must be "public" or unset/],
    [{ ANYFORM_METRICS_TOKEN: "short" }, /at least 16 characters/],
    [{ ANYFORM_METRICS_TOKEN: "with spaces in the middle" }, /no spaces/],
    [{ ANYFORM_METRICS: "public", ANYFORM_METRICS_TOKEN: TOKEN }, /makes the metrics public/],
  ])("are rejected if they are invalid: %j", (environment, message) => {
    expect(() => accessOf(environment)).toThrow(message);
  });

  it("are not repeated in the error", () => {
    expect(() => accessOf({ ANYFORM_METRICS_TOKEN: "se cret" })).toThrow(/^(?!.*se cret)/);
  });
});
