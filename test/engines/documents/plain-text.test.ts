import { describe, expect, test } from "vitest";
import { htmlOfText } from "../../../functions/engines/documents/markup/plain-text.ts";

describe("text as HTML", () => {
  test("has a paragraph for lines up to an empty one, and starts a page at a form feed", () => {
    expect(htmlOfText("one\ntwo\n\nthree\n\ffour")).toBe(
      '<p>one<br>two</p>\n<p>three</p>\n<p style="break-before: page">four</p>',
    );
  });

  test("has several elements without a gap for a long block, such as a log", () => {
    const lines = Array.from({ length: 450 }, (_, index) => `line ${index}`);
    const parts = htmlOfText(lines.join("\n")).split("\n");
    expect(parts.map((part) => /^<p(?: style="([^"]*)")?>/.exec(part)?.[1])).toEqual([
      "margin-block-end: 0",
      "margin-block-start: 0; margin-block-end: 0",
      "margin-block-start: 0",
    ]);
    expect(parts.flatMap((part) => part.replace(/<\/?p[^>]*>/g, "").split("<br>"))).toEqual(lines);
  });
});
