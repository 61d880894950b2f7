import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";

const detected = (text: string, filename = "", mediaType = ""): FormatId | undefined =>
  detectFormat(Buffer.from(text), { filename, mediaType });

describe("an HTML fragment", () => {
  const fragments = [
    "<h1>hi</h1>",
    "<div>One<div>Two</div></div>",
    "<p>Hello",
    "<table><tr><td>1</td></tr></table>",
    "<section>One</section>",
    "<style>p { color: red }</style><p>One</p>",
    '<meta charset="utf-8"><title>One</title><p>Two',
    "<script>let a = 1 < 2;</script>",
    "<br>x",
    "<!-- c --><div>One</div>",
    "<!-- a --><!-- b --><!DOCTYPE HTML><TITLE>One</TITLE>",
    '<link rel="stylesheet" href="a.css"><h2>One</h2>',
    '<div xmlns="http://www.w3.org/1999/xhtml">One</div>',
    '<P CLASS="a">One<P>Two',
  ];
  test.each(fragments)("%s is HTML, with and without its name", (text) => {
    expect(detected(text)).toBe("html");
    expect(detected(text, "a.html")).toBe("html");
    expect(detected(text, "page.php", "text/html; charset=utf-8")).toBe("html");
  });

  const mixed = [
    "Dear Mr X,<br><br>your invoice",
    "Hello <b>x</b>",
    "{{t}}<h1>x</h1>",
    '{"not": "JSON"} <b>x</b>',
    "---\ntitle: One\n---\n<h1>x</h1>",
    "<b>x</b> and <i>y</i>",
    "<my-element>One</my-element>",
  ];
  test.each(mixed)("%j is HTML if its name or its media type says so", (text) => {
    expect(detected(text, "a.html")).toBe("html");
    expect(detected(text, "A.HTM")).toBe("html");
    expect(detected(text, "", "text/html")).toBe("html");
    expect(detected(text)).not.toBe("html");
  });

  const others: readonly [string, FormatId, string, string?, string?][] = [
    ["an XML filename", "xml", "<table><row/></table>", "a.xml"],
    ["an XML media type", "xml", "<table><row/></table>", "", "text/xml"],
    [
      "an XML declaration, whatever the name",
      "xml",
      '<?xml version="1.0"?><table><row/></table>',
      "a.html",
      "text/html",
    ],
    ["another namespace, whatever the name", "xml", '<section xmlns="urn:a"/>', "a.html", "text/html"],
    ["an element that XML has as often", "xml", "<data><row>1</row></data>"],
    ["an SVG, whatever the name", "svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', "a.html"],
    ["Markdown that starts with a tag", "md", '<p align="center">One</p>\n\n# Two', "README.md"],
    ["a calendar that a server sends as a page", "ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "", "text/html"],
    ["bytes that are sent as a page", "png" as FormatId, "\u0089PNG\r\n\u001a\n", "a.html", "text/html"],
  ];
  test.each(others)("does not win over %s", (_, format, text, filename = "", mediaType = "") => {
    const bytes = Buffer.from(text, format === "png" ? "latin1" : "utf8");
    expect(detectFormat(bytes, { filename, mediaType })).toBe(format);
  });
});

describe("the declared media type of a text", () => {
  const cases: readonly [string, FormatId, string, string, string][] = [
    ["decides without a name", "csv", "a,b\n1,2\n", "export", "text/csv; charset=utf-8"],
    ["decides in any case", "md", "# One", "", "Text/Markdown"],
    ["decides before the shape", "md", "[1, 2]", "notes", "text/markdown"],
    ["comes after the name", "md", "# One", "a.md", "text/csv"],
    ["comes after a shape that no other format has", "srt", "1\n00:00:01,000 --> 00:00:02,000\nOne\n", "", "text/html"],
    ["is not used for text if it is that of an image", "txt", "One", "", "image/png"],
    ["is not used if it is generic", "json", '{"a": 1}', "", "text/plain"],
    ["is not used if it is unknown", "txt", "One", "", "application/octet-stream"],
  ];
  test.each(cases)("%s", (_, format, text, filename, mediaType) => {
    expect(detected(text, filename, mediaType)).toBe(format);
  });
});
