import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { print } from "../../../../functions/engines/documents/chromium/print.ts";
import type { ReadyDocument } from "../../../../functions/engines/documents/chromium/ready.ts";
import { newLeftOut } from "../../../../functions/engines/documents/html/left-out.ts";
import { viewPdf } from "../../support/documents/pdf.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled, taskOf } from "../../support/task.ts";

/** Untrusted HTML in a browser: nothing runs, nothing is fetched, no file is read. */

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
let targets: readonly string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  mkdirSync(scratch.path("outside"));
  writeFileSync(scratch.path("outside/secret.txt"), SECRET);
  writeFileSync(scratch.path("outside/secret.html"), `<body>${SECRET}`);
  writeFileSync(scratch.path("outside/secret.png"), readFileSync(sampleOf("png")));
  targets = [
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

/** Ways in which HTML refers to external resources. */
const WAYS: Readonly<Record<string, (target: string) => string>> = {
  pictures: (target) =>
    `<img src="${target}"><img srcset="${target} 2x"><picture><source srcset="${target}"><img src="${target}"></picture>` +
    `<input type="image" src="${target}"><table background="${target}"><tr><td background="${target}">x</table>`,
  frames: (target) =>
    `<iframe src="${target}"></iframe><iframe srcdoc="<img src='${target}'>"></iframe><object data="${target}"></object>` +
    `<embed src="${target}"><portal src="${target}"></portal><fencedframe src="${target}"></fencedframe>` +
    `<object type="application/pdf" data="${target}"></object><embed type="application/pdf" src="${target}">`,
  frameset: (target) => `<frameset><frame src="${target}"></frameset>`,
  media: (target) =>
    `<video src="${target}" poster="${target}" autoplay><track default src="${target}"></video><audio src="${target}" autoplay></audio>`,
  links: (target) =>
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
      .map((rel) => `<link rel="${rel}" as="image" href="${target}">`)
      .join(""),
  moves: (target) =>
    `<meta http-equiv="refresh" content="0;url=${target}"><base href="${target}"><img src="x.png"><a href="${target}" ping="${target}">x</a>` +
    `<form action="${target}"><input autofocus name="a"></form>`,
  styles: (target) =>
    `<style>@import "${target}"; @import url(${target}) screen; @font-face { font-family: f; src: url(${target}) } p { font-family: f; ` +
    `background: url(${target}), image-set(url("${target}") 1x); list-style: url(${target}); border-image: url(${target}) 1; cursor: url(${target}), auto; ` +
    `mask: url(${target}#m); clip-path: url(${target}#c); filter: url(${target}#f); shape-outside: url(${target}); content: url(${target}) } ` +
    `p::before { content: url(${target}) } @page { background: url(${target}); @top-center { content: url(${target}) } }</style>` +
    `<p style="background: u\\72l(${target})">x</p>`,
  drawings: (target) =>
    `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image href="${target}" width="9" height="9"/><image xlink:href="${target}" width="9" height="9"/>` +
    `<use href="${target}#a"/><filter id="f"><feImage href="${target}"/></filter><rect filter="url(#f)" width="9" height="9" fill="url(${target}#g)"/>` +
    `<style>@import "${target}";</style><script href="${target}"></script><foreignObject><iframe src="${target}"></iframe></foreignObject>` +
    `<text><textPath href="${target}#t">x</textPath></text><set attributeName="href" to="${target}"/></svg>` +
    `<img src="data:image/svg+xml;base64,${btoa(`<?xml-stylesheet href="${target}"?><svg xmlns="http://www.w3.org/2000/svg"><image href="${target}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${target}"/></foreignObject></svg>`)}">`,
  scripts: (target) =>
    `<script src="${target}"></script><script>fetch("${target}"); new WebSocket("${target}"); navigator.sendBeacon("${target}"); location = "${target}"; ` +
    `new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1" }] }); document.body.textContent = "it ran"</script>` +
    `<script type="speculationrules">{"prefetch":[{"urls":["${target}"]}]}</script><img src=x onerror="document.body.textContent = 'it ran'">` +
    `<body onload="document.body.textContent = 'it ran'"><p>words</p><iframe src="javascript:parent.document.body.textContent = 'it ran'"></iframe>`,
};

/** A document from which nothing was removed. */
const raw = (html: string): ReadyDocument => {
  const part = {
    html: () => html,
    files: new Map(),
    styled: true,
    pages: true,
    longWords: false,
    elements: 0,
    cells: 0,
    columns: 0,
    leftOut: newLeftOut(),
  };
  return { ...part, groups: () => [part] };
};

const textOf = async (path: string): Promise<string> => (await viewPdf(path)).map(({ text }) => text).join("\n");

describe.skipIf(!isInstalled("chromium"))("chromium", () => {
  test("the listener records requests", async () => {
    await fetch(targets[0] ?? "");
    expect(heard).toEqual(["connection", "/"]);
  });

  test.each(Object.keys(WAYS))("makes no request and reads no file for %s", async (way) => {
    const html = `<h4>words</h4>${targets.map((target) => WAYS[way]?.(target)).join("\n")}`;
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

  test.each(Object.keys(WAYS))("is safe even without cleaning against %s", async (way) => {
    const html = `<!DOCTYPE html><p>words</p>${targets.map((target) => WAYS[way]?.(target)).join("\n")}`;
    const output = scratch.fresh();
    const task = taskOf({ input: scratch.file(html), output, from: "html", to: "pdf" }, scratch.folder);
    await print(task, raw(html)).catch(() => {});
    expect(heard).toEqual([]);
    const text = await textOf(output).catch(() => "");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("it ran");
  });

  test("reports what is left out, with counts", async () => {
    const html =
      '<img src="https://example.org/a.png" alt="A harbour"><img src="b.png"><iframe src="c"></iframe><script>1</script>' +
      '<link rel="stylesheet" href="d.css"><style>p { background: url(https://example.org/e.png) }</style><p>words';
    const { path, warnings } = await convert(scratch.file(html), ["html", "pdf"]);
    expect(warnings.map(({ code, detail }) => `${code} ${/\d+\.$/.exec(detail)?.[0]}`).sort()).toEqual([
      "media_dropped 1.",
      "pictures_dropped 1.",
      "remote_content_dropped 2.",
      "scripts_dropped 1.",
      "styles_dropped 1.",
    ]);
    expect(await textOf(path)).toContain("A harbour");
  });

  test("warns about scripts, but not about data in script elements", async () => {
    const page = (script: string) => scratch.file(`<!doctype html><head>${script}</head><p>words`);
    const code = async (script: string) =>
      (await convert(page(script), ["html", "pdf"])).warnings.map((each) => each.code);
    expect(await code('<script type="module" src="app.js"></script>')).toEqual(["scripts_dropped"]);
    expect(await code('<script type="application/ld+json">{}</script>')).toEqual([]);
  });

  test("preserves links, except to files and to our own address", async () => {
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
