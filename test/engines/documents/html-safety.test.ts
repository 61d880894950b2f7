import { describe, expect, test } from "vitest";
import { HTML_DEPTH_MAX, HTML_PARSED_DEPTH_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { cleanHtml } from "../../../functions/engines/documents/html/html.ts";
import { decodeHtml } from "../../../functions/engines/documents/html/reader.ts";
import { cleanSheet } from "../../../functions/engines/documents/html/style.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";

describe("untrusted HTML runs, loads and sends nothing", () => {
  const payloads: readonly string[] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    `<img src="${PNG}" onload=alert(1)>`,
    "<body onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java&#9;script:alert(1)">x</a>',
    '<a href="&#1;javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt&colon;alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="file:///etc/passwd">x</a>',
    '<iframe src="https://example.org"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="x.swf"></object><embed src="x.swf"><applet code="x"></applet>',
    '<form action="https://example.org"><input name=a><button formaction="javascript:alert(1)">Go</button></form>',
    '<meta http-equiv="refresh" content="0;url=https://example.org"><base href="https://example.org/">',
    '<link rel=stylesheet href="https://example.org/a.css"><link rel=prefetch href="https://example.org/">',
    "<style>@import 'https://example.org/a.css'; p { background: url(https://example.org/a.png) }</style>",
    "<style>p { background: u\\72l(https://example.org/a.png); width: expression(alert(1)) }</style>",
    "<style></style><img src=x onerror=alert(1)></style>",
    '<p style="background:url(https://example.org/a.png);color:red">x</p>',
    '<p style="background:\\75rl(https://example.org/a.png)">x</p>',
    '<video src="https://example.org/a.mp4" poster="https://example.org/a.png"></video><audio src=a></audio>',
    '<picture><source srcset="https://example.org/a.png"><img src="https://example.org/b.png" srcset="c.png 2x"></picture>',
    '<img src="file:///etc/passwd"><img src="//example.org/a.png"><img src="\\\\server\\share\\a.png">',
    '<svg onload=alert(1)><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><use href="https://example.org/a.svg#x"/><image href="https://example.org/a.png"/></svg>',
    "<svg><style>@import 'https://example.org'</style><foreignObject><iframe src=x></iframe></foreignObject></svg>",
    `<img src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>1</script></svg>')}">`,
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "<textarea></textarea><script>alert(1)</script>",
    "<title><img src=x onerror=alert(1)></title><xmp><script>alert(1)</script></xmp>",
    '<p id="x" class="y"><script>alert(1)</script>">x</p>',
    '<table background="https://example.org/a.png"><tr><td background="https://example.org/a.png">x</table>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title/><script/><p>x</p></html>',
    "<frameset onload=alert(1)><frame src='javascript:alert(1)'></frameset>",
    '<div><a href="https://example.org" ping="https://example.org" target=_blank onclick=alert(1)>x</a></div>',
  ];
  test.each(payloads)("%s", (payload) => {
    const { html } = cleanHtml(payload);
    expect(viewHtml(html).unsafe).toEqual([]);
    expect(cleanHtml(html).html, "a second cleaning finds nothing more").toBe(html);
  });

  test("an SVG in a data URI contains no script", () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>1</script><path d="M0 0h9"/></svg>';
    const [picture = ""] = viewHtml(cleanHtml(`<img src="data:image/svg+xml;base64,${btoa(svg)}">`).html).pictures;
    expect(atob(picture.split(",")[1] ?? "")).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"></path></svg>',
    );
  });
});

describe("safe content is preserved", () => {
  test("language, direction, title, author, classes, links and plain styles", () => {
    const { html } = cleanHtml(
      '<html lang="he" dir="rtl"><title>A &amp; B</title><meta name=author content="Łukasz"><style>p > b { color: red; background: url(x) } @media print { p { margin: 0 } }</style>' +
        '<p class="a" style="color: #f00; background: url(x)">x <a href="mailto:a@example.org">m</a> <a href="#b">b</a></p></html>',
    );
    expect(html).toContain('<html lang="he" dir="rtl">');
    expect(html).toContain("<title>A &amp; B</title>");
    expect(html).toContain('<meta name="author" content="Łukasz">');
    expect(html).toContain('<p class="a" style="color: #f00">');
    expect(html).toMatch(/p > b \{\s+color: red;\s+\}\s+@media print \{\s+p \{\s+margin: 0;/);
    expect(viewHtml(html).links).toEqual(["mailto:a@example.org", "#b"]);
  });

  test("a picture resolved from its reference", () => {
    const { html, warnings } = cleanHtml('<img src="cid:a" alt="A"><img src="cid:b" alt="B">', {
      pictures: (source) => (source === "cid:a" ? PNG : undefined),
    });
    expect(viewHtml(html).pictures).toEqual([PNG]);
    expect(viewHtml(html).text).toContain("B");
    expect(warnings.map(({ code }) => code)).toEqual(["pictures_dropped"]);
  });

  test("the alternative text of remote pictures, with a link and a warning", () => {
    const { html, warnings } = cleanHtml(
      '<img src="https://example.org/a.png" alt="Flag"><img src="https://example.org/t">',
    );
    expect(viewHtml(html).links).toEqual(["https://example.org/a.png"]);
    expect(viewHtml(html).text).toContain("Flag");
    expect(warnings).toEqual([
      expect.objectContaining({ code: "remote_content_dropped", detail: expect.stringContaining("2") }),
    ]);
  });

  test("a count of the scripts that do not run", () => {
    const scripts = '<script>one()</script><p>words</p><script src="two.js"></script><script type="text/template">';
    expect(cleanHtml(scripts).warnings).toEqual([
      { code: "scripts_dropped", detail: "Scripts are not run. Content that they add or change is missing: 2." },
    ]);
  });

  test("formulas", () => {
    const formula = "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>";
    expect(cleanHtml(`<p>${formula}</p>`).html).toContain(formula);
  });

  test("self-closing XHTML elements", () => {
    const { html } = cleanHtml(
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>a<br/>b<i/>c</p><![CDATA[1 < 2]]></body></html>',
    );
    expect(html).toContain("<p>a<br>b<i></i>c</p>1 &lt; 2");
  });

  test("unclosed styles, which are closed", () => {
    expect(cleanSheet("p { color: red; @media print { b { color: blue")).toBe(
      "p {\ncolor: red;\n@media print {\nb {\n}\n}\n}",
    );
  });
});

describe("excessive HTML", () => {
  test("is flattened beyond the depth limit", () => {
    const { html } = cleanHtml(`${"<div>".repeat(HTML_PARSED_DEPTH_MAX - 100)}x`);
    expect(html.match(/<div>/g)).toHaveLength(HTML_DEPTH_MAX - 1);
    expect(html).toContain("x");
  });

  test("loses no text of too deeply nested tables", () => {
    expect(viewHtml(cleanHtml(`${"<table><tr><td>".repeat(200)}word`).html).text).toContain("word");
  });

  test.each([
    ["nested 100,000 elements deep", "<div>".repeat(100_000)],
    ["with ever more open elements", Array.from({ length: 3_000 }, (_, index) => `<p><font size=${index}>`).join("")],
  ])("%s is rejected", async (_, html) => {
    expect(await codeOf((async () => cleanHtml(html))())).toBe("unsupported_feature");
  });

  test.each([
    ["unclosed tags", "<a".repeat(500_000)],
    ["unclosed quotes", `<?xml?><html xmlns="x">${'<a "'.repeat(300_000)}`],
    ["unclosed style blocks", `<style>${"a{".repeat(300_000)}`],
  ])("terminates with %s", (_, html) => {
    expect(viewHtml(cleanHtml(html).html).unsafe).toEqual([]);
  });
});

describe("the encoding of HTML", () => {
  const page = (charset: string): string => `<html><meta charset="${charset}"><p>é</p></html>`;
  test.each([
    ["its declaration", Buffer.from(page("iso-8859-1"), "latin1"), "é"],
    [
      "its legacy declaration",
      Buffer.from(
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xef\xf0\xe8</p>',
        "latin1",
      ),
      "при",
    ],
    [
      "Shift-JIS",
      Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from("93fa967b", "hex")]),
      "日本",
    ],
    [
      "an XML declaration",
      Buffer.from('<?xml version="1.0" encoding="windows-1250"?><html xmlns="x"><p>\xb3</p></html>', "latin1"),
      "ł",
    ],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${page("utf-8")}`, "utf16le"), "é"],
    ["UTF-16 without one", Buffer.from(page("utf-16"), "utf16le"), "é"],
    ["UTF-8 that declares another encoding", Buffer.from(page("windows-1252")), "é"],
    ["ISO-2022-JP", Buffer.from('<meta charset="iso-2022-jp"><p>\x1b$BF|K\\\x1b(B</p>', "latin1"), "日本"],
  ])("is detected: %s", (_, bytes, text) => {
    expect(decodeHtml(bytes)).toContain(text);
  });

  test("is the one that the client specifies", () => {
    expect(decodeHtml(Buffer.from("<p>\xe9</p>", "latin1"), "windows-1251")).toContain("й");
  });
});
