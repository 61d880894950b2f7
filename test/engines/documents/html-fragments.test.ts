import { describe, expect, test } from "vitest";
import { poppler } from "../support/documents/pdf.ts";
import { readingPdf } from "../support/documents/read-pdf.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const read = readingPdf(scratch);

const fragments: readonly [string, string][] = [
  ["<h1>One</h1>Two", "One Two"],
  ["Dear Mr X,<br><br>your <b>invoice</b>", "Dear Mr X, your invoice"],
  ["{{t}}<h1>x</h1>", "{{t}} x"],
  ["<table><tr><td>1</td><td>2</td></tr></table>", "1 2"],
  ["<!-- c --><div>One", "One"],
  ["<style>p { color: red }</style><p>One", "One"],
  ['<meta charset="utf-8"><title>T</title><p>Zürich', "Zürich"],
  ["<script>document.write(1)</script><br>x", "x"],
];

describe.skipIf(!isInstalled("chromium"))("the HTML fragment", () => {
  const print = convertingBy("chromium", scratch);

  test.each(fragments)("%s is printed without its tags", async (html, words) => {
    const { path } = await print(scratch.file(html), ["html", "pdf"]);
    const texts = [(await read(path, "txt")).text, poppler("pdftotext", path, "-")];
    for (const text of texts.filter((each) => each !== undefined)) {
      expect(text.replace(/\s+/g, " ").trim()).toBe(words);
    }
  });
});
