import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("fb2", scratch);

const wrapped = (body: string, head = '<?xml version="1.0" encoding="utf-8"?>'): string =>
  `${head}<FictionBook xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><author><first-name>Ana</first-name><last-name>Żak</last-name></author><book-title>T</book-title><annotation><p>About</p></annotation></title-info></description>${body}</FictionBook>`;

const html = async (source: string | Uint8Array): Promise<string> => {
  const { path } = await convert(scratch.file(source), ["fb2", "html"]);
  return readFileSync(path, "utf8");
};

test("nests sections, with titles at the level of their section", async () => {
  const text = await html(
    wrapped(
      "<body><section><title><p>A</p><p>B</p></title><section><title><p>C</p></title><p>x</p></section></section></body>",
    ),
  );
  expect(text).toMatch(/<section class="chapter"><h1>A<br>B<\/h1>\s*<section><h2>C<\/h2>/);
  expect(text).toContain('<meta name="author" content="Ana Żak">');
});

test("converts poems, quotes, notes and pictures", async () => {
  const text = await html(
    wrapped(
      '<body><section><poem><stanza><v>one</v><v>two</v></stanza><text-author>Ana</text-author></poem><cite><p>q</p></cite><p>x<a l:href="#n1">1</a></p><image l:href="#p"/></section></body><body name="notes"><section id="n1"><p>note</p></section></body><binary id="p" content-type="image/gif">R0lGODlhAQABAAAAACw=</binary>',
    ),
  );
  const view = viewHtml(text);
  expect(text).toMatch(/<blockquote><p>one<br>\s*two<br>\s*<\/p>\s*<p><em>Ana<\/em><\/p>/);
  expect(view.links).toEqual(["#n1"]);
  expect(text).toContain('<section class="chapter" id="n1">');
  expect(view.pictures).toEqual(["data:image/gif;base64,R0lGODlhAQABAAAAACw="]);
});

test("reads the declared legacy encoding", async () => {
  const source = Buffer.from(
    wrapped(
      "<body><section><p>\xcf\xf0\xe8</p></section></body>",
      '<?xml version="1.0" encoding="windows-1251"?>',
    ).replace("Ż", "Z"),
    "latin1",
  );
  expect(await html(source)).toContain("<p>При</p>");
});

test("decodes HTML entities, and rejects others", async () => {
  expect(await html(wrapped("<body><section><p>a&nbsp;&mdash;</p></section></body>"))).toContain("a&nbsp;—");
  const bomb = wrapped(
    "<body><section><p>&a;</p></section></body>",
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>',
  );
  expect(await codeOf(convert(scratch.file(bomb), ["fb2", "html"]))).toBe("unsupported_feature");
});

test("rejects unclosed and too deeply nested markup", async () => {
  expect(await codeOf(convert(scratch.file(wrapped("<body><section>")), ["fb2", "html"]))).toBe("source_corrupt");
  const deep = wrapped(`<body>${"<section>".repeat(1_000)}x${"</section>".repeat(1_000)}</body>`);
  expect(await codeOf(convert(scratch.file(deep), ["fb2", "html"]))).toBe("unsupported_feature");
});
