import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";

/** The service behind a proxy with this address, as search engines and messengers see it. */
const PUBLIC_URL = "https://anyform.example";

let service: LocalService;
let pages: readonly string[];
beforeAll(async () => {
  service = await startLocalService({ env: { ANYFORM_PUBLIC_URL: PUBLIC_URL } });
  pages = [...(await textOf("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
});
afterAll(async () => {
  await service.stop();
  await service.erase();
});

const textOf = async (path: string): Promise<string> => (await fetch(`${service.url}${path}`)).text();

/** @returns the values of an attribute of all elements that match, as a search engine reads them */
const valuesOf = (html: string, element: RegExp): readonly string[] =>
  [...html.matchAll(new RegExp(element.source, "g"))].map(([, value = ""]) => value);

describe("the public site", () => {
  test("allows search engines to read all its pages, and names the list of them", async () => {
    const lines = (await textOf("/robots.txt")).trim().split("\n");
    expect(lines).toEqual([
      "User-agent: *",
      "Allow: /api/v1/docs",
      "Disallow: /api/",
      `Sitemap: ${PUBLIC_URL}/sitemap.xml`,
    ]);
  });

  test("lists its pages once, with absolute URLs, in both languages", () => {
    expect(pages.length).toBeGreaterThanOrEqual(400);
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages.filter((url) => !url.startsWith(`${PUBLIC_URL}/`))).toEqual([]);
    expect(pages).toContain(`${PUBLIC_URL}/convert/heic-to-jpg`);
    expect(pages).toContain(`${PUBLIC_URL}/de/convert/heic-to-jpg`);
  });

  test("has a title, a description, a canonical URL and a preview on each listed page", async () => {
    const titles = new Map<string, string>();
    for (const url of pages) {
      const response = await fetch(url.replace(PUBLIC_URL, service.url));
      const html = await response.text();
      const page = { url, status: response.status };
      const [title = ""] = valuesOf(html, /<title>([^<]+)<\/title>/);
      const [description = ""] = valuesOf(html, /<meta name="description" content="([^"]+)"/);
      expect({ ...page, same: titles.get(title) }).toEqual({ url, status: 200, same: undefined });
      expect({ ...page, length: description.length }).toEqual({ ...page, length: expect.toSatisfy(isReadable) });
      expect({ ...page, canonical: valuesOf(html, /<link rel="canonical" href="([^"]+)"/) }).toEqual({
        ...page,
        canonical: [url],
      });
      expect(valuesOf(html, /<meta property="og:title" content="([^"]+)"/)).toEqual([title]);
      expect(valuesOf(html, /<meta property="og:url" content="([^"]+)"/)).toEqual([url]);
      expect(valuesOf(html, /<meta property="og:image" content="([^"]+)"/)).toEqual([`${PUBLIC_URL}/picture.png`]);
      expect(html).not.toContain("noindex");
      expect(html).not.toContain("__ORIGIN__");
      titles.set(title, url);
    }
  });

  test("links the languages of a conversion's page to each other, and describes it as data", async () => {
    for (const path of ["/convert/heic-to-jpg", "/de/convert/heic-to-jpg"]) {
      const html = await textOf(path);
      expect(valuesOf(html, /<link rel="alternate" hreflang="\w+" href="([^"]+)"/)).toEqual([
        `${PUBLIC_URL}/convert/heic-to-jpg`,
        `${PUBLIC_URL}/de/convert/heic-to-jpg`,
      ]);
      const [json = ""] = valuesOf(html, /<script type="application\/ld\+json">(.+?)<\/script>/);
      expect(JSON.parse(json)).toMatchObject({ "@type": "WebApplication", url: `${PUBLIC_URL}${path}` });
    }
  });

  test.each([
    ["/favicon.ico", "image/x-icon"],
    ["/icon.svg", "image/svg+xml"],
    ["/apple-touch-icon.png", "image/png"],
    ["/picture.png", "image/png"],
    ["/manifest.webmanifest", "application/manifest+json"],
  ])("has %s", async (path, type) => {
    const response = await fetch(`${service.url}${path}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  test("names only icons in its manifest that exist", async () => {
    const manifest = JSON.parse(await textOf("/manifest.webmanifest")) as { icons: { src: string; type: string }[] };
    for (const { src, type } of manifest.icons) {
      expect([src, (await fetch(`${service.url}${src}`)).headers.get("content-type")]).toEqual([src, type]);
    }
  });

  test("keeps pages of accounts out of search engines", async () => {
    for (const path of ["/jobs", "/keys", "/account", "/operator", "/usage"]) {
      expect(await textOf(path)).toContain('<meta name="robots" content="noindex" />');
      expect(pages).not.toContain(`${PUBLIC_URL}${path}`);
    }
  });

  test.each(["/nowhere", "/convert/pdf-to-gold", "/terms", "/missing.png"])("responds to %s with 404", async (path) => {
    expect((await fetch(`${service.url}${path}`)).status).toBe(404);
  });
});

/** What search engines show of a description. */
const isReadable = (length: number): boolean => length >= 40 && length <= 320;
