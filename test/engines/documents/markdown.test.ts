import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { HelperNeeded } from "../../../functions/engines/core/engine.ts";
import { viewHtml } from "../support/documents/html.ts";
import { poppler } from "../support/documents/pdf.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** What Markdown has beyond CommonMark: formulas, footnotes, colored code, a title, and the default style. */

const scratch = scratchFolder();
const convert = convertingBy("markup", scratch);

const html = async (markdown: string, options: Options = {}) => {
  const { path, warnings, codes } = await convert(scratch.file(markdown), ["md", "html"], options, "here");
  const text = readFileSync(path, "utf8");
  return { path, warnings, codes, text, body: text.slice(text.indexOf("<body>") + 7, text.indexOf("</body>")).trim() };
};

const back = async (path: string, to: "md" | "txt") =>
  readFileSync((await convert(path, ["html", to])).path, "utf8").trim();

describe.skipIf(!isInstalled("pandoc"))("formulas in Markdown", () => {
  test("become MathML, in the text and on their own", async () => {
    const { body, codes } = await html("Let $E=mc^2$ and $`a_b`$.\n\n$$\\frac{1}{2}$$\n\n```math\n\\sqrt{λ}\n```\n");
    expect(codes).toEqual([]);
    expect(body.match(/<math alttext="[^"]+">/g)).toEqual(['<math alttext="E=mc^2">', '<math alttext="a_b">']);
    expect(body.match(/<math display="block" alttext="[^"]+">/g)).toEqual([
      '<math display="block" alttext="\\frac{1}{2}">',
      '<math display="block" alttext="\\sqrt{λ}">',
    ]);
    expect(body).toContain("<msup><mi>c</mi><mn>2</mn></msup>");
    expect(body).toContain("<mfrac><mn>1</mn><mn>2</mn></mfrac>");
    expect(body).toContain("<msqrt><mi>λ</mi></msqrt>");
  });

  test("keep lines that Markdown reads as blocks", async () => {
    const { body } = await html("Text\n$$\na\n= b\n- c\n$$\nMore $x$ here\n\n> $$\n> q\n> $$\n");
    expect([...body.matchAll(/alttext="([^"]*)"/g)].map(([, tex]) => tex)).toEqual(["a\n= b\n- c", "x", "q"]);
  });

  test.each([
    ["prices", "$5 and $10, US$5 for A$ now, $7/$8", "$5 and $10, US$5 for A$ now, $7/$8"],
    ["escaped marks", "\\$x\\$ and $ y $", "$x$ and $ y $"],
    ["code", "`$x$` costs $3 `$y$`", "$x$ costs $3 $y$"],
    ["an open mark", "$$\na\n\n# Title", "$$\na\nTitle"],
  ])("are not read in %s", async (_, markdown, words) => {
    const { text, body } = await html(markdown);
    expect(body).not.toContain("<math");
    expect(viewHtml(text).text.trim().replaceAll(/\n+/g, "\n")).toBe(words);
  });

  test("that pandoc cannot read stay TeX, with a warning", async () => {
    const { body, warnings } = await html("a $x$ b $\\unknown{<b>$");
    expect(body).toMatch(/<\/math> b <code class="math">\\unknown\{&lt;b&gt;<\/code>/);
    expect(warnings.map(({ code }) => code)).toEqual(["formulas_as_text"]);
  });

  test("are kept in text and Markdown made from the HTML", async () => {
    const { path } = await html("a $E=mc^2$ b\n\n$$x$$");
    expect(await back(path, "md")).toBe("a $E=mc^2$ b\n\n$$x$$");
    expect(await back(path, "txt")).toBe("a $E=mc^2$ b\n\n$$x$$");
  });

  test("run no commands of TeX", async () => {
    const { body } = await html("$\\input{/etc/passwd}$ $\\write18{touch /tmp/x}$ $\\href{javascript:alert(1)}{a}$");
    expect(body).not.toContain("root:");
    expect(body).not.toMatch(/<a|href=/);
  });

  test.each([
    ["100,000 marks", "$a ".repeat(100_000)],
    ["100,000 open blocks", "$$a\n".repeat(100_000)],
    ["20,000 notes", Array.from({ length: 20_000 }, (_, index) => `[^${index}]: x`).join("\n")],
  ])("are searched once: %s", async (_, markdown) => {
    expect((await html(markdown)).body.length).toBeGreaterThan(100_000);
  });
});

describe("formulas without pandoc in this lane", () => {
  test("move the job to the lane that has it; other Markdown stays", async () => {
    const here = (markdown: string) => convert(scratch.file(markdown), ["md", "html"], {}, "elsewhere");
    await expect(here("$x$")).rejects.toBeInstanceOf(HelperNeeded);
    expect((await here("It costs $5.\n\n`$x$`[^1]\n\n[^1]: a")).codes).toEqual([]);
  });

  test("stay TeX in a deployment without it, and a warning names what is missing", async () => {
    const { warnings } = await convert(scratch.file("$x$"), ["md", "html"]);
    expect(warnings).toEqual([
      { code: "formulas_as_text", detail: "Formulas shown as TeX because this server has no pandoc: 1." },
    ]);
  });
});

describe("footnotes in Markdown", () => {
  const NOTES = "a[^x] b[^1] c[^x] [^none]\n\n[^1]: One\n[^x]: Two *words*\n\n    More\n\n[^unused]: Three\n\nEnd";

  test("stand at the end, by their first reference, and lead back", async () => {
    const { body } = await html(NOTES);
    expect(body).toMatch(/^<p>a<sup><a href="#note-1" id="ref-1">1<\/a><\/sup> b<sup><a href="#note-2" id="ref-2">2</);
    expect(body).toContain('c<sup><a href="#note-1">1</a></sup> [^none]</p>\n<p>End</p>\n<div class="footnote"');
    expect(
      [...body.matchAll(/id="note-(\d)">\s*([\s\S]*?)\s*<\/div>/g)].map(([, number, text]) => [number, text]),
    ).toEqual([
      ["1", '<p><a href="#ref-1">1</a> Two <em>words</em></p>\n<p>More</p>'],
      ["2", '<p><a href="#ref-2">2</a> One</p>'],
      ["3", "<p>Three</p>"],
    ]);
  });

  test("are footnotes again in Markdown made from the HTML", async () => {
    expect(await back((await html(NOTES)).path, "md")).toBe(
      "a[^1] b[^2] c[^1] \\[^none\\]\n\nEnd\n\n[^1]: Two *words*\n\n    More\n\n[^2]: One\n\n[^3]: Three",
    );
  });

  test("can be in lists and quotes, and begin with a list", async () => {
    const { body } = await html("- a[^1]\n\n  [^1]: x\n\n> b[^2]\n>\n> [^2]: - item\n");
    expect(body).toContain('<p><a href="#ref-1">1</a> x</p>');
    expect(body).toMatch(/<p><a href="#ref-2">2<\/a>\s*<\/p>\s*<ul>\s*<li>item<\/li>/);
  });
});

describe("code in Markdown", () => {
  test("is colored in known languages and complete in all", async () => {
    const code = 'if x: # "comment"\n    return "<a>" + 4.5e3\n';
    const { body } = await html(`\`\`\`python\n${code}\`\`\`\n\n\`\`\`unknown\nif x\n\`\`\``);
    expect(
      [...body.matchAll(/<span class="code-(\w+)">([^<]*)<\/span>/g)].map(([, kind, text]) => [kind, text]),
    ).toEqual([
      ["keyword", "if"],
      ["comment", '# "comment"'],
      ["keyword", "return"],
      ["text", '"&lt;a&gt;"'],
      ["number", "4.5e3"],
    ]);
    expect(viewHtml(body).text).toContain(code.trim());
    expect(body).toContain('<code class="language-unknown">if x\n</code>');
  });

  test.each(["js", "java", "c", "go", "python", "bash", "yaml", "json", "sql", "lua", "css", "html"])(
    "in %s is never changed by coloring, whatever it contains",
    async (language) => {
      const code = `'"\`/*--#//"""''' \\ <!-- a </script> ${"'a\\' ".repeat(5_000)}\n`;
      const { path } = await html(`\`\`\`\`\`${language}\n${code}\`\`\`\`\``);
      expect(await back(path, "md")).toBe(`\`\`\`${language}\n${code}\`\`\``);
    },
  );
});

describe("the style of HTML from Markdown", () => {
  test("follows light and dark mode and has print rules, unless it is not wanted", async () => {
    const { text } = await html("# a");
    expect(text).toContain("prefers-color-scheme: dark");
    expect(text).toContain("@media print");
    expect((await html("# a", { style: "none" })).text).not.toContain("<style>");
  });

  test("is not added to the document's own style", async () => {
    const { text } = await html("<style>p { color: red }</style>\n\n# a");
    expect(text.match(/<style>/g)).toHaveLength(1);
    expect(text).not.toContain("prefers-color-scheme");
  });

  test("is not taken for the document's style by other writers", async () => {
    const { path } = await html("# a\n\nb");
    const book = await convertingBy("epub", scratch)(path, ["html", "epub"]);
    expect(readFileSync(book.path).includes("prefers-color-scheme")).toBe(false);
    expect(await back(path, "txt")).not.toContain("color");
  });
});

describe("the title of Markdown", () => {
  test("comes from its front matter, once, with author and date", async () => {
    expect((await html("---\ntitle: A & B\nauthor: C\ndate: 2026\n---\n# D")).body).toBe(
      '<header>\n<h1>A &amp; B</h1>\n<p>C · 2026</p>\n</header>\n<h1 id="d">D</h1>',
    );
    expect((await html("---\ntitle: D\n---\n# D")).body).toBe('<h1 id="d">D</h1>');
  });
});

describe.skipIf(!isInstalled("chromium") || !isInstalled("pandoc"))("Markdown as a PDF", () => {
  test("shows title, formulas, notes and code", async () => {
    const { path } = await html("---\ntitle: A Title\n---\n\nLet $x^2$[^1]\n\n```js\nlet a = 1;\n```\n\n[^1]: A note");
    const pdf = await convertingBy("chromium", scratch)(path, ["html", "pdf"]);
    const words = poppler("pdftotext", pdf.path, "-") ?? "𝑥2 A Title 1 A note let a = 1;";
    for (const expected of ["A Title", "𝑥2", "1 A note", "let a = 1;"]) {
      expect(words).toContain(expected);
    }
    expect(words).not.toContain("$");
  });
});
