import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Inline, parseInline, plainText } from "../../dashboard/markdown/inline.ts";
import { type Block, parseMarkdown } from "../../dashboard/markdown/parse.ts";

const only = (text: string): Block => {
  const [block, ...others] = parseMarkdown(text);
  expect(others).toEqual([]);
  return block as Block;
};

describe("Markdown of the pages", () => {
  test.each<[string, Block]>([
    ["## Title ##", { type: "heading", level: 2, text: ["Title"] }],
    ["one\ntwo", { type: "paragraph", text: ["one\ntwo"] }],
    ["```sh\na | b\n```", { type: "code", language: "sh", text: "a | b" }],
    ["```\nnever closed", { type: "code", language: "", text: "never closed" }],
    ["---", { type: "rule" }],
    ["> quoted\n> text", { type: "quote", blocks: [{ type: "paragraph", text: ["quoted\ntext"] }] }],
    [
      "| a | b |\n|---|:-:|\n| 1 | `x` \\| y |",
      {
        type: "table",
        head: [["a"], ["b"]],
        rows: [[["1"], [{ type: "code", text: "x" }, " | y"]]],
      },
    ],
    [
      "3. three\n4. four",
      {
        type: "list",
        start: 3,
        items: [[{ type: "paragraph", text: ["three"] }], [{ type: "paragraph", text: ["four"] }]],
      },
    ],
    [
      "- one\n  continued\n\n  ```\n  code\n  ```\n- two\n  - inner",
      {
        type: "list",
        start: undefined,
        items: [
          [
            { type: "paragraph", text: ["one\ncontinued"] },
            { type: "code", language: "", text: "code" },
          ],
          [
            { type: "paragraph", text: ["two"] },
            { type: "list", start: undefined, items: [[{ type: "paragraph", text: ["inner"] }]] },
          ],
        ],
      },
    ],
  ])("parses %j", (text, block) => {
    expect(only(text)).toEqual(block);
  });

  test.each<[string, readonly Inline[]]>([
    ["a `b*c*` d", ["a ", { type: "code", text: "b*c*" }, " d"]],
    ["**bold _and_**", [{ type: "strong", children: ["bold ", { type: "emphasis", children: ["and"] }] }]],
    ["snake_case_name and 2 * 3 * 4", ["snake_case_name and 2 * 3 * 4"]],
    ["[a `b`](/c)", [{ type: "link", href: "/c", children: ["a ", { type: "code", text: "b" }] }]],
    [
      "see https://a.example/b.",
      ["see ", { type: "link", href: "https://a.example/b", children: ["https://a.example/b"] }, "."],
    ],
    ["<me@example.com>", [{ type: "link", href: "mailto:me@example.com", children: ["me@example.com"] }]],
    ["one  \ntwo", ["one", { type: "break" }, "two"]],
    ["\\*plain\\*", ["*", "plain", "*"]],
  ])("parses the line %j", (text, parts) => {
    expect(parseInline(text)).toEqual(parts);
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert)",
    "[x](data:text/html,x)",
    "[x](//evil.example)",
    "[x](vbscript:x)",
    "<javascript:alert(1)>",
    "![x](javascript:x)",
  ])("makes no link of %s", (text) => {
    expect(JSON.stringify(parseMarkdown(text))).not.toContain('"href"');
  });

  test("keeps tags as text", () => {
    const text = "<script>alert(1)</script> <img src=x onerror=y>";
    expect(only(text)).toEqual({ type: "paragraph", text: [text] });
  });

  test("parses hostile nesting and unclosed marks within its limits", () => {
    const texts = ["> ".repeat(5_000), "- ".repeat(5_000), "*".repeat(20_000), "[".repeat(20_000), "`a".repeat(10_001)];
    for (const text of texts) {
      expect(parseMarkdown(`${text}x`).length).toBeGreaterThan(0);
    }
  });

  test("loses no word of the project's documentation", () => {
    const docs = join(import.meta.dirname, "../../docs");
    for (const name of readdirSync(docs).filter((each) => each.endsWith(".md"))) {
      const text = readFileSync(join(docs, name), "utf8");
      const shown = parseMarkdown(text).map(wordsOf).join(" ");
      const words = text.replace(/\]\([^)]*\)/g, "]").match(/\p{L}{4,}/gu) ?? [];
      expect(words.filter((word) => !shown.includes(word) && !/^(?:json|http|yaml|bash)$/.test(word))).toEqual([]);
    }
  });
});

const wordsOf = (block: Block): string => {
  switch (block.type) {
    case "rule":
      return "";
    case "code":
      return `${block.language} ${block.text}`;
    case "quote":
      return block.blocks.map(wordsOf).join(" ");
    case "list":
      return block.items.flat().map(wordsOf).join(" ");
    case "table":
      return [block.head, ...block.rows].flat().map(plainText).join(" ");
    default:
      return plainText(block.text);
  }
};
