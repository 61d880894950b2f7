import { expect, test } from "vitest";
import { declaredOf } from "../../../../functions/engines/pdf/pdfium/content/declared.ts";
import { withDocument } from "../../../../functions/engines/pdf/pdfium/page/document.ts";
import { pageContent, wordNamed } from "../../support/documents/page-content.ts";
import { typeset } from "../../support/documents/typeset.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** Roles of words in the structure tree of a tagged PDF. */

const scratch = scratchFolder();

test.skipIf(!isInstalled("chromium"))(
  "reads the roles of headings, paragraphs, lists and cells, the title and language",
  async () => {
    const { path } = await convertingBy("chromium", scratch)(
      scratch.file(
        "<!doctype html><html lang=en><meta charset=utf-8><title>The title</title><h2>Heading</h2><p>First text</p><p>Second</p><ol><li>Item</ol>" +
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
    expect(await withDocument(path, undefined, declaredOf)).toEqual({ title: "The title", language: "en" });
  },
);

test("reads no roles and no title from a document without them", async () => {
  const path = scratch.file(typeset("= Heading\ntext"));
  const { words } = await pageContent(path);
  expect(words.map(({ tag }) => tag)).toEqual([undefined, undefined]);
  expect(await withDocument(path, undefined, declaredOf)).toEqual({ title: undefined, language: undefined });
});
