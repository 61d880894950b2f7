import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboard } from "../../../local/http/dashboard.ts";
import { gateway } from "../../../local/http/gateway.ts";
import { pageFiles } from "../../../local/http/page-files.ts";
import { addressOf } from "../../support/address.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

const PAGE = `<!doctype html><title>Anyform</title>${"<p>Some words.</p>".repeat(100)}`;
const SCRIPT = `export const words = ${JSON.stringify("some words ".repeat(200))};`;

let folder: TemporaryFolder;
let server: Server;
let url: string;

const write = (name: string, content: string): void => {
  mkdirSync(dirname(join(folder.path, name)), { recursive: true });
  writeFileSync(join(folder.path, name), content);
};

beforeAll(async () => {
  folder = temporaryFolder();
  write("index.html", PAGE);
  write("api/v1/docs.html", PAGE);
  write("terms.html", PAGE);
  write("imprint.html", '<meta content="__OPERATOR_FILES__" />');
  write("jobs.html", PAGE);
  write("convert/heic-to-jpg.html", PAGE);
  write(
    "plans.html",
    `    <link rel="canonical" href="__ORIGIN__/plans" />
    <link rel="alternate" hreflang="de" href="__ORIGIN__/de/plans" />
    <meta property="og:title" content="Plans" />
    <meta property="og:image" content="__ORIGIN__/picture.png" />
`,
  );
  write("robots.txt", "Disallow: /api/\nSitemap: __ORIGIN__/sitemap.xml\n");
  write("sitemap.xml", "<loc>__ORIGIN__/plans</loc>");
  write("assets/main-1a2b3c.js", SCRIPT);
  write("icon.svg", "<svg/>");
  const serve = dashboard(folder.path);
  server = createServer((request, response) => {
    serve?.(request, response, new URL(request.url ?? "/", "http://host").pathname).catch(() => response.destroy());
  });
  url = await addressOf(server);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

describe("the pages", () => {
  test.each(["/", "/jobs", "/jobs?page=2", "/convert/heic-to-jpg", "/index.html"])(
    "%s returns its page",
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toBe(PAGE);
    },
  );

  test.each(["/a/b/c", "/convert/pdf-to-gold"])("%s is 404 with the app, which says so", async (path) => {
    const answer = await get(path, { "if-none-match": "*" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await answer.text()).toBe(PAGE);
  });

  test("have no canonical URLs and no list for search engines while the public URL is unknown", async () => {
    expect(await (await get("/plans")).text()).toBe(
      `    <link rel="anyform-language" hreflang="de" href="/de/plans" />
    <meta property="og:title" content="Plans" />
`,
    );
    expect(await (await get("/robots.txt")).text()).toBe("Disallow: /api/\n");
    expect((await get("/sitemap.xml")).status).toBe(404);
  });

  test("have absolute URLs below the public URL, and a list for search engines", async () => {
    const serve = dashboard(folder.path, { origin: "https://anyform.example" });
    const open = createServer((request, response) => void serve?.(request, response, request.url ?? "/"));
    const origin = await addressOf(open);
    const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
    expect(await read("/plans")).toBe(
      `    <link rel="canonical" href="https://anyform.example/plans" />
    <link rel="alternate" hreflang="de" href="https://anyform.example/de/plans" />
    <meta property="og:title" content="Plans" />
    <meta property="og:image" content="https://anyform.example/picture.png" />
`,
    );
    expect(await read("/robots.txt")).toBe("Disallow: /api/\nSitemap: https://anyform.example/sitemap.xml\n");
    expect(await read("/sitemap.xml")).toBe("<loc>https://anyform.example/plans</loc>");
    open.close();
    open.closeAllConnections();
  });

  test("of the operator exist only with a text, which they name", async () => {
    const operatorTexts = { "imprint.de.md": "# Impressum", "imprint.md": "# Imprint" };
    const serve = dashboard(folder.path, { operatorTexts });
    const open = createServer((request, response) => void serve?.(request, response, request.url ?? "/"));
    const origin = await addressOf(open);
    const read = async (path: string) => {
      const answer = await fetch(`${origin}${path}`);
      return [answer.status, answer.headers.get("content-type"), await answer.text()];
    };
    expect(await read("/imprint")).toEqual([
      200,
      "text/html; charset=utf-8",
      '<meta content="imprint.de.md imprint.md" />',
    ]);
    expect(await read("/operator/imprint.md")).toEqual([200, "text/markdown; charset=utf-8", "# Imprint"]);
    expect((await read("/terms"))[0]).toBe(404);
    expect((await read("/operator/terms.md"))[0]).toBe(404);
    expect((await read("/operator/constructor"))[0]).toBe(404);
    open.close();
    open.closeAllConnections();
  });

  test("are revalidated every time, and sent only if they have changed", async () => {
    const first = await get("/jobs");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/jobs", { "if-none-match": tag });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("have a Content-Security-Policy that allows no other host", async () => {
    const { headers } = await get("/");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; " +
        "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
  });
});

describe("files", () => {
  test("with a hash in their name are cached for a year, others revalidated every time", async () => {
    const script = await get("/assets/main-1a2b3c.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await script.text()).toBe(SCRIPT);
    const icon = await get("/icon.svg");
    expect([icon.headers.get("content-type"), icon.headers.get("cache-control")]).toEqual([
      "image/svg+xml",
      "no-cache",
    ]);
  });

  test.each(["/assets/old-000000.js", "/favicon.ico", "/.git/config.js", "/assets/..%2f..%2fpackage.json", "/a/b.map"])(
    "that do not exist return 404 without a page: %s",
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    },
  );

  test("are sent in the smallest encoding that the client accepts, each with a different ETag", async () => {
    const tags = new Set<string | null>();
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, br;q=0", "gzip"],
      ["BR", "br"],
      ["identity", null],
    ] as const) {
      const answer = await get("/assets/main-1a2b3c.js", { "accept-encoding": accepted });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("vary")).toBe("accept-encoding");
      expect(await answer.text()).toBe(SCRIPT);
      tags.add(answer.headers.get("etag"));
    }
    expect(tags.size).toBe(3);
  });

  test("that are very small are sent uncompressed", async () => {
    expect((await get("/icon.svg", { "accept-encoding": "br" })).headers.get("content-encoding")).toBeNull();
  });

  test("have the same headers for HEAD and GET", async () => {
    const [head, got] = [await fetch(`${url}/jobs`, { method: "HEAD" }), await get("/jobs")];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "content-security-policy"]) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });
});

describe("the gateway", () => {
  let whole: Server;
  let base: string;
  beforeAll(async () => {
    whole = await gateway({ body: "stream", pages: dashboard(folder.path), onError: console.error });
    base = await addressOf(whole);
  });
  afterAll(() => {
    whole.close();
    whole.closeAllConnections();
  });

  test.each([
    ["/", 200],
    ["/jobs", 200],
    ["/api/v1/docs", 200],
    ["/api//v1/docs/", 200],
    ["/apiary", 404],
    ["/filesystem", 404],
  ])("returns a page at %s with status %i", async (path, status) => {
    const answer = await fetch(`${base}${path}`);
    expect([answer.status, await answer.text()]).toEqual([status, PAGE]);
  });

  test.each(["GET /api/v1/nothing", "GET /api/", "POST /jobs", "DELETE /", "GET /files/nothing"])(
    "routes %s to the API, which returns its own error",
    async (target) => {
      const [method = "", path = ""] = target.split(" ");
      const answer = await fetch(`${base}${path}`, { method });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    },
  );
});

test("serves a new build that replaced the folder, and keeps no file of the old one", async () => {
  const place = temporaryFolder();
  const built = join(place.path, "dashboard");
  const buildWith = (files: Readonly<Record<string, string>>): void => {
    rmSync(built, { recursive: true, force: true });
    mkdirSync(`${built}-new/assets`, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(`${built}-new`, name), content);
    }
    renameSync(`${built}-new`, built);
  };
  buildWith({ "index.html": "first", "assets/main-1.js": "1" });
  const serve = dashboard(built);
  const open = createServer((request, response) => void serve?.(request, response, request.url ?? "/"));
  const origin = await addressOf(open);
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  expect([await read("/"), await read("/assets/main-1.js")]).toEqual(["first", "1"]);
  buildWith({ "index.html": "second", "assets/main-2.js": "2" });
  expect([await read("/"), await read("/assets/main-2.js")]).toEqual(["second", "2"]);
  expect((await fetch(`${origin}/assets/main-1.js`)).status).toBe(404);
  open.close();
  open.closeAllConnections();
  await place.remove();
});

test("keeps at most 2 MB of files in memory, and serves all of them", async () => {
  const place = temporaryFolder();
  const names = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);
  writeFileSync(join(place.path, "index.html"), "page");
  for (const name of names) {
    writeFileSync(join(place.path, name), name.repeat(60_000));
  }
  const files = pageFiles(place.path);
  const first = await files?.read(`/${names[0]}`);
  expect(await files?.read(`/${names[0]}`)).toBe(first);
  for (const name of names) {
    expect((await files?.read(`/${name}`))?.bytes.toString()).toBe(name.repeat(60_000));
  }
  const again = await files?.read(`/${names[0]}`);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
  await place.remove();
});

test("serves nothing from a folder without a build", () => {
  expect(dashboard(join(folder.path, "nothing"))).toBeUndefined();
});
