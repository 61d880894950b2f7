import { expect, test } from "vitest";
import { pageContent, wordNamed } from "../../support/page-content.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";
import { typeset } from "../../support/typeset.ts";

/** Roles of words in the structure tree of a tagged PDF. */

const scratch = scratchFolder();

test.skipIf(!isInstalled("chromium"))("reads the roles of headings, paragraphs, lists and cells", async () => {
  const { path } = await convertingBy("chromium", scratch)(
    scratch.file(
      "<!doctype html><html lang=en><meta charset=utf-8><h2>Heading</h2><p>First text</p><p>Second</p><ol><li>Item</ol>" +
        "<table border=1><tr><th>Header<th>Other<tr><td>Cell<td>Last</table>",
    ),
    ["html", "pdf"],
  );
  const { words } = await pageContent(path);
  const tagOf = (text: string) => wordNamed(words, text).tag;
  expect(tagOf("Heading")).toMatchObject({ role: "heading", level: 2 });
  expect(tagOf("First")).toMatchObject({ role: "paragraph" });
  expect(tagOf("1.")).toMatchObject({ role: "list-mark" });
  expect(tagOf("Item")).toMatchObject({ role: "list-item" });
  expect(tagOf("Header")).toMatchObject({ role: "header-cell" });
  expect(tagOf("Cell")).toMatchObject({ role: "cell" });
  expect(tagOf("text")?.element).toBe(tagOf("First")?.element);
  const order = ["Heading", "First", "Second", "Item", "Header", "Cell", "Last"].map(
    (text) => tagOf(text)?.element ?? 0,
  );
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(new Set(order).size).toBe(order.length);
});

test("reads no roles from a document without tags", async () => {
  const { words } = await pageContent(scratch.file(typeset("= Heading\ntext")));
  expect(words.map(({ tag }) => tag)).toEqual([undefined, undefined]);
});
