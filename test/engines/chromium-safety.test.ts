import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browsers } from "../../functions/engines/chromium/browser.ts";
import { print } from "../../functions/engines/chromium/print.ts";
import type { ReadyDocument } from "../../functions/engines/chromium/ready.ts";
import { sampleOf } from "./support/fixtures.ts";
import { viewPdf } from "./support/pdf.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy, isInstalled, taskOf } from "./support/task.ts";

/** HTML from strangers in a browser: nothing in it runs, nothing is fetched, no file is read. */

const scratch = scratchFolder();
const convert = convertingBy("chromium", scratch);
const SECRET = "Kleinodienschrank";

const heard: string[] = [];
const server = createServer((request, response) => {
  heard.push(String(request.url));
  response.setHeader("access-control-allow-origin", "*");
  response.end(SECRET);
});
server.on("connection", () => heard.push("connection"));
let places: readonly string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  mkdirSync(scratch.path("outside"));
  writeFileSync(scratch.path("outside/secret.txt"), SECRET);
  writeFileSync(scratch.path("outside/secret.html"), `<body>${SECRET}`);
  writeFileSync(scratch.path("outside/secret.png"), readFileSync(sampleOf("png")));
  places = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `//127.0.0.1:${port}/`,
    `ws://127.0.0.1:${port}/`,
    ...["txt", "html", "png"].map((kind) => `file://${scratch.path(`outside/secret.${kind}`)}`),
    scratch.path("outside/secret.html"),
    "view-source:file:///etc/passwd",
    "chrome://version",
  ];
});
beforeEach(() => {
  heard.length = 0;
});
afterAll(() => server.close());

/** Ways in which HTML refers to what lies elsewhere. */
const WAYS: Readonly<Record<string, (place: string) => string>> = {
  pictures: (place) =>
    `<img src="${place}"><img srcset="${place} 2x"><picture><source srcset="${place}"><img src="${place}"></picture>` +
    `<input type="image" src="${place}"><table background="${place}"><tr><td background="${place}">x</table>`,
  frames: (place) =>
    `<iframe src="${place}"></iframe><iframe srcdoc="<img src='${place}'>"></iframe><object data="${place}"></object>` +
    `<embed src="${place}"><portal src="${place}"></portal><fencedframe src="${place}"></fencedframe>` +
    `<object type="application/pdf" data="${place}"></object><embed type="application/pdf" src="${place}">`,
  frameset: (place) => `<frameset><frame src="${place}"></frameset>`,
  media: (place) =>
    `<video src="${place}" poster="${place}" autoplay><track default src="${place}"></video><audio src="${place}" autoplay></audio>`,
  links: (place) =>
    [
      "stylesheet",
      "preload",
      "prefetch",
      "preconnect",
      "dns-prefetch",
      "prerender",
      "modulepreload",
      "icon",
      "manifest",
      "import",
    ]
      .map((rel) => `<link rel="${rel}" as="image" href="${place}">`)
      .join(""),
  moves: (place) =>
    `<meta http-equiv="refresh" content="0;url=${place}"><base href="${place}"><img src="x.png"><a href="${place}" ping="${place}">x</a>` +
    `<form action="${place}"><input autofocus name="a"></form>`,
  styles: (place) =>
    `<style>@import "${place}"; @import url(${place}) screen; @font-face { font-family: f; src: url(${place}) } p { font-family: f; ` +
    `background: url(${place}), image-set(url("${place}") 1x); list-style: url(${place}); border-image: url(${place}) 1; cursor: url(${place}), auto; ` +
    `mask: url(${place}#m); clip-path: url(${place}#c); filter: url(${place}#f); shape-outside: url(${place}); content: url(${place}) } ` +
    `p::before { content: url(${place}) } @page { background: url(${place}); @top-center { content: url(${place}) } }</style>` +
    `<p style="background: u\\72l(${place})">x</p>`,
  drawings: (place) =>
    `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image href="${place}" width="9" height="9"/><image xlink:href="${place}" width="9" height="9"/>` +
    `<use href="${place}#a"/><filter id="f"><feImage href="${place}"/></filter><rect filter="url(#f)" width="9" height="9" fill="url(${place}#g)"/>` +
    `<style>@import "${place}";</style><script href="${place}"></script><foreignObject><iframe src="${place}"></iframe></foreignObject>` +
    `<text><textPath href="${place}#t">x</textPath></text><set attributeName="href" to="${place}"/></svg>` +
    `<img src="data:image/svg+xml;base64,${btoa(`<?xml-stylesheet href="${place}"?><svg xmlns="http://www.w3.org/2000/svg"><image href="${place}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}"/></foreignObject></svg>`)}">`,
  scripts: (place) =>
    `<script src="${place}"></script><script>fetch("${place}"); new WebSocket("${place}"); navigator.sendBeacon("${place}"); location = "${place}"; ` +
    `new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1" }] }); document.body.textContent = "it ran"</script>` +
    `<script type="speculationrules">{"prefetch":[{"urls":["${place}"]}]}</script><img src=x onerror="document.body.textContent = 'it ran'">` +
    `<body onload="document.body.textContent = 'it ran'"><p>words</p><iframe src="javascript:parent.document.body.textContent = 'it ran'"></iframe>`,
};

/** What a document is when nothing was taken out of it. */
const raw = (html: string): ReadyDocument => ({
  html: () => html,
  files: new Map(),
  looks: true,
  pages: true,
  longWords: false,
  elements: 0,
  cells: 0,
  columns: 0,
  counts: new Map(),
});

const textOf = async (path: string): Promise<string> => (await viewPdf(path)).map(({ text }) => text).join("\n");

describe.skipIf(!isInstalled("chromium"))("chromium", () => {
  test("the listener hears who asks", async () => {
    await fetch(places[0] ?? "");
    expect(heard).toEqual(["connection", "/"]);
  });

  test.each(Object.keys(WAYS))("asks nobody and reads nothing for %s", async (way) => {
    const html = `<h4>words</h4>${places.map((place) => WAYS[way]?.(place)).join("\n")}`;
    const { path } = await convert(scratch.file(html), ["html", "pdf"]);
    const text = await textOf(path);
    expect(text).toContain("words");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("it ran");
    expect(heard).toEqual([]);
    const picture = await convert(scratch.file(html), ["html", "png"]);
    expect(picture.codes.filter((code) => !/_dropped$/.test(code))).toEqual([]);
    expect(heard).toEqual([]);
  });

  test.each(Object.keys(WAYS))("holds without our own cleaning, too, against %s", async (way) => {
    const html = `<!DOCTYPE html><p>words</p>${places.map((place) => WAYS[way]?.(place)).join("\n")}`;
    const output = scratch.fresh();
    const task = taskOf({ input: scratch.file(html), output, from: "html", to: "pdf" }, scratch.folder);
    await browsers.use((browser) => print(browser, task, raw(html))).catch(() => {});
    expect(heard).toEqual([]);
    const text = await textOf(output).catch(() => "");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("it ran");
  });

  test("what is left out is told, as often as it was", async () => {
    const html =
      '<img src="https://example.org/a.png" alt="A harbour"><img src="b.png"><iframe src="c"></iframe><script>1</script>' +
      '<link rel="stylesheet" href="d.css"><style>p { background: url(https://example.org/e.png) }</style><p>words';
    const { path, warnings } = await convert(scratch.file(html), ["html", "pdf"]);
    expect(warnings.map(({ code, detail }) => `${code} ${/\d+\.$/.exec(detail)?.[0]}`).sort()).toEqual([
      "media_dropped 1.",
      "pictures_dropped 1.",
      "remote_content_dropped 2.",
      "styles_dropped 1.",
    ]);
    expect(await textOf(path)).toContain("A harbour");
  });

  test("links lead to where they said, and never to a file or into our own address", async () => {
    const html =
      '<a href="https://example.org/x">a</a> <a href="//example.org/y">b</a> <a href="file:///etc/passwd">c</a> ' +
      '<a href="z.html">d</a> <a href="#here">e</a> <a href="javascript:alert(1)">f</a><p id="here">words';
    const { path } = await convert(scratch.file(html), ["html", "pdf"]);
    const bytes = readFileSync(path, "latin1");
    expect(bytes.match(/\/URI \([^)]*\)/g)?.sort()).toEqual([
      "/URI (https://example.org/x)",
      "/URI (https://example.org/y)",
    ]);
    expect(bytes).not.toMatch(/document\.invalid|passwd/);
  });
});
