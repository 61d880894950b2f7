import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("pandoc", scratch);

const markdownOf = async (text: string) => {
  const { path, codes } = await convert(scratch.file(text), ["asciidoc", "md"]);
  return { text: readFileSync(path, "utf8"), codes };
};

describe.skipIf(!isInstalled("pandoc"))("AsciiDoc", () => {
  test("keeps footnotes, formulas, admonitions, tables and code", async () => {
    const source = `= Report
:stem: latexmath

A claim.footnote:[Its source.] And stem:[x^2].

WARNING: Deep water.

[source,js]
----
let a = 1;
----
`;
    const { text, codes } = await markdownOf(source);
    expect(codes).toEqual([]);
    expect(text).toMatch(/^# Report\n/);
    expect(text).toContain("A claim.[^1] And $x^2$.");
    expect(text).toContain("[^1]: Its source.");
    expect(text).toMatch(/\*\*Warning\*\*\n\nDeep water\./);
    expect(text).toMatch(/``` js\nlet a = 1;\n```/);
    const word = await convert(scratch.file(source), ["asciidoc", "docx"]);
    await readZip(word.path, async (zip) => {
      expect(String(await zip.read("word/footnotes.xml"))).toContain("Its source.");
      expect(String(await zip.read("word/document.xml"))).toContain("<m:oMath>");
    });
  });

  test.skipIf(!isInstalled("chromium"))("is printed", async () => {
    const { output } = await convertingByRoute(scratch)(scratch.file("= Report\n\nDeep *water*.\n"), [
      "asciidoc",
      "pdf",
    ]);
    expect((await viewPdf(output))[0]?.text).toMatch(/Report\s+Deep water\./);
  });

  test("includes no other file, and says so", async () => {
    const secret = scratch.file("a secret word");
    const { text, codes } = await markdownOf(
      `:allow-uri-read:\n:safe-mode-level: 0\n\nWords.\n\ninclude::${secret}[]\n\n----\ninclude::${secret}[]\n----\n`,
    );
    expect(text).toContain("Words.");
    expect(text).not.toContain("secret");
    expect(text).not.toContain(secret);
    expect(codes).toEqual(["includes_dropped"]);
  });

  test.each([
    ["a definition", "|===\n|Cell\n\ninclude::SECRET[]\n|==="],
    ["docinfo", ":docinfo: shared\n:docinfodir: FOLDER\n\nWords"],
    ["a condition", 'ifeval::["{docdir}" != ""]\nFOLDER\nendif::[]\n\n{docdir}{docfile}{user-home}'],
    ["a block from a file", "[csv,file=SECRET]\n,===\n,==="],
    ["an inline picture", ":data-uri:\n\nimage:SECRET[x]"],
  ])("reads no file for %s", async (_, source) => {
    const secret = scratch.file("a secret word");
    const { text } = await markdownOf(source.replaceAll("SECRET", secret).replaceAll("FOLDER", scratch.folder));
    expect(text).not.toContain("a secret word");
  });

  test("limits attributes that refer to each other", async () => {
    const levels = Array.from({ length: 20 }, (_, index) => `:a${index + 1}: ${`{a${index}}`.repeat(10)}`);
    const { text } = await markdownOf(`:a0: ${"x".repeat(100)}\n${levels.join("\n")}\n\n{a20}\n`);
    expect(text.length).toBeLessThan(10_000);
  });
});
