import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { browsers } from "../../../functions/engines/documents/chromium/browser.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";
import { viewBySharp } from "../support/views.ts";

/** Web pages that a browser saved as one file (MHTML), with the parts that the page refers to. */

const scratch = scratchFolder();
const convert = convertingBy("mail", scratch);
const render = convertingBy("chromium", scratch);

const saved = (html: string, parts: readonly string[] = [], header = ""): string =>
  scratch.file(
    [
      "From: <Saved by Blink>",
      "MIME-Version: 1.0",
      `Content-Type: multipart/related; type="text/html"; boundary="b"${header}`,
      "",
      "--b",
      "Content-Type: text/html; charset=x-user-defined",
      "Content-Transfer-Encoding: quoted-printable",
      "Content-Location: https://example.org/a/page.html",
      "",
      html.replaceAll("=", "=3D"),
      ...parts.flatMap((part) => ["--b", part]),
      "--b--",
      "",
    ].join("\r\n"),
  );

const part = (type: string, location: string, content: string): string =>
  [
    `Content-Type: ${type}`,
    `Content-Location: ${location}`,
    "Content-Transfer-Encoding: base64",
    "",
    btoa(content),
  ].join("\r\n");

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#f00"/></svg>';

const html = async (path: string) => {
  const made = await convert(path, ["mhtml", "html"]);
  return { ...made, text: readFileSync(made.path, "utf8") };
};

describe("a saved web page", () => {
  test("is distinguished from a message by its header", () => {
    const detected = (text: string) => detectFormat(Buffer.from(text), { filename: "", mediaType: "" });
    const related = 'Content-Type: multipart/related;\r\n\ttype="text/html"; boundary="b"\r\n';
    expect(detected(`From: <Saved by Blink>\r\n${related}\r\n`)).toBe("mhtml");
    expect(detected(`MIME-Version: 1.0\n${related.replaceAll("\r", "")}X-MimeOLE: y\n\nTo: you`)).toBe("mhtml");
    for (const field of ["To: a@example.com", "Received: by b", "Message-ID: <c@d>"]) {
      expect(detected(`From: a@example.com\r\n${related}${field}\r\n\r\n`)).toBe("eml");
      expect(detected(`${field}\r\nFrom: a@example.com\r\n${related}\r\n`)).toBe("eml");
    }
  });

  test("is one HTML file with its pictures and style sheets", async () => {
    const { text, codes } = await html(sampleOf("mhtml"));
    expect(codes).toEqual(["scripts_dropped"]);
    expect(text).toContain("<title>Harbour report</title>");
    expect(text).toMatch(/h1 \{\s*color: #305080;/);
    expect(text).toMatch(/<img src="data:image\/png;base64,iVBOR/);
    expect(text).toContain('<a href="https://example.org/harbour">');
    expect(text).not.toMatch(/<script|<link/);
    expect(viewHtml(text).unsafe).toEqual([]);
  });

  test("finds parts by relative address, by content id, and in imported style sheets", async () => {
    const path = saved(
      '<link rel="stylesheet" href="../s/a.css"><link rel="alternate stylesheet" href="../s/night.css"><img src="b.svg" alt="B"><img src="cid:c@x" alt="C"><a href="d.html#e">D</a> <a href="#f">F</a><p>é',
      [
        part("text/css", "https://example.org/s/a.css", '@import "i/b.css"; p { color: red }'),
        part("text/css", "https://example.org/s/i/b.css", "h1 { color: blue }"),
        part("text/css", "https://example.org/s/night.css", "body { background: black }"),
        part("image/svg+xml", "https://example.org/a/b.svg", SQUARE),
        part("image/svg+xml", "x", SQUARE).replace("Content-Location: x", "Content-ID: <c@x>"),
      ],
    );
    const { text, codes } = await html(path);
    expect(codes).toEqual([]);
    expect(text.match(/<img src="data:image\/svg/g)).toHaveLength(2);
    expect(text).toMatch(/h1 \{\s*color: blue;\s*\}\s*p \{\s*color: red;/);
    expect(text).not.toContain("black");
    expect(text).toContain('<a href="https://example.org/a/d.html#e">D</a> <a href="#f">F</a>');
    expect(text).toContain("<p>é");
  });

  test("says what is not in the file, and never fetches it", async () => {
    const { text, codes } = await html(
      saved('<img src="gone.png" alt="Gone"><link rel=stylesheet href="https://example.org/x.css">'),
    );
    expect(text).not.toContain("<img");
    expect([...codes].sort()).toEqual(["pictures_dropped", "remote_content_dropped"]);
  });

  test("without a page is corrupt", async () => {
    const file = scratch.file("MIME-Version: 1.0\r\nContent-Type: image/png\r\n\r\nx");
    expect(await codeOf(convert(file, ["mhtml", "html"]))).toBe("source_corrupt");
  });

  test("with style sheets that import each other ends", async () => {
    const loop = part("text/css", "https://example.org/l.css", '@import "l.css"; p { color: red }');
    const { text } = await html(saved('<link rel=stylesheet href="../l.css"><p>x', [loop]));
    expect(text.match(/color: red/g)?.length).toBeLessThan(10);
  });
});

describe.skipIf(!isInstalled("chromium"))("a saved web page in the browser", () => {
  test("becomes a PDF and a picture with its layout, and runs no scripts", async () => {
    const path = saved(
      '<style>body { margin: 0; background: url(bg.svg) no-repeat }</style><script>document.body.textContent = "ran"</script><p style="margin-top: 60px">Words',
      [part("image/svg+xml", "https://example.org/a/bg.svg", SQUARE)],
    );
    const pdf = await render(path, ["mhtml", "pdf"]);
    expect((await viewPdf(pdf.path))[0]?.text.trim()).toBe("Words");
    const picture = await render(path, ["mhtml", "png"], { width: 200, height: 100 });
    const { width, height, pixels } = await viewBySharp(picture.parts?.[0]?.path ?? "");
    expect([width, height]).toEqual([200, 100]);
    expect([...pixels.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  test("as Chromium itself saves one, keeps words, pictures and styles", async () => {
    const source = `<style>h1 { color: rgb(1, 2, 3) }</style><h1>Überschrift</h1><img src="data:image/svg+xml;base64,${btoa(SQUARE)}" alt="">`;
    const snapshot = await browsers.use(async ({ protocol }) => {
      const { targetId } = await protocol.call("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await protocol.call("Target.attachToTarget", { targetId, flatten: true });
      const session = String(sessionId);
      const loaded = Promise.withResolvers<void>();
      protocol.listen(session, ({ method }) => method === "Page.loadEventFired" && loaded.resolve());
      await protocol.call("Page.enable", {}, session);
      const url = `data:text/html;charset=utf-8,${encodeURIComponent(source)}`;
      await protocol.call("Page.navigate", { url }, session);
      await loaded.promise;
      const { data } = await protocol.call("Page.captureSnapshot", { format: "mhtml" }, session);
      await protocol.call("Target.closeTarget", { targetId });
      return String(data);
    });
    expect(detectFormat(Buffer.from(snapshot), { filename: "", mediaType: "" })).toBe("mhtml");
    const { text } = await html(scratch.file(snapshot));
    expect(text).toContain("Überschrift");
    expect(text).toMatch(/color: rgb\(1, 2, 3\)/);
    expect(text).toMatch(/<img src="data:image\/svg/);
  });
});
