import { writeFile } from "node:fs/promises";
import { Document, Footer, Header, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx";
import { htmlOf } from "../../pdf/print/html.ts";
import { wordOf } from "../../pdf/print/word.ts";
import { samples } from "../../pdf/samples/all.ts";
import { runChromium } from "../tools.ts";
import type { MadeSource } from "./made.ts";

/** Documents with what people have in them and converters lose: emoji, formulas, scripts, footnotes, foreign scripts. */

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quarterly report</title>
<style>.grid{display:grid;grid-template-columns:1fr 1fr;gap:8px}.box{background:linear-gradient(#def,#9bd);padding:8px}
table{border-collapse:collapse}td,th{border:1px solid #888;padding:4px}</style>
<h1>Quarterly report 🚀</h1><p>Revenue rose by <b>12.5 %</b> to €1,204.50. Ελληνικά, русский, 日本語, العربية.</p>
<div class="grid"><div class="box">Left column</div><div class="box">Right column</div></div>
<table><thead><tr><th>Region<th>Units</thead><tbody><tr><td rowspan="2">Europe<td>1,024<tr><td>2,048</tbody></table>
<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math><ol><li>First<li>Second<ul><li>Nested</ul></ol>
<img alt="Remote logo" src="https://example.com/logo.png"><details open><summary>Details</summary><p>Opened text</p></details>`;

const SCRIPTED = `<!doctype html><meta charset="utf-8"><title>Invoice</title><h1>Invoice</h1><p>Static part</p>
<div id="rows"></div><script>for (const name of ["Consulting", "Travel", "Hosting"]) {
  document.querySelector("#rows").insertAdjacentHTML("beforeend", "<p>" + name + "</p>"); }</script>`;

const FRAGMENT =
  "<p>Dear customer,</p><p>your order <b>4711</b> has been shipped.</p><ul><li>2 pens</li><li>1 desk</li></ul>";

const MARKDOWN = `---
title: Release notes
author: Ada Example
---

# Overview

Energy is $E = mc^2$ and a sum is $\\sum_{i=1}^{n} i$.[^note]

- [x] done task
- [ ] open task

| name | count |
|------|------:|
| bolts | 1200 |
| nuts | 85 |

\`\`\`python
def answer() -> int:
    return 42
\`\`\`

> A quotation with *emphasis*, **weight**, ~~strikethrough~~ and \`code\`.

Term with an emoji 🎉 and a [link](https://example.com).

[^note]: The footnote says something.
`;

const TEXT =
  "Plain text in UTF-8: naïve café, Ελληνικά, русский, 日本語, हिन्दी, emoji 🌍.\n\n  Indented line\n\tTabbed line\n";

const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });

const report = (): Promise<Buffer> =>
  Packer.toBuffer(
    new Document({
      title: "Annual report",
      sections: [
        {
          headers: { default: new Header({ children: [new Paragraph("Confidential draft")] }) },
          footers: { default: new Footer({ children: [new Paragraph("Example Company")] }) },
          children: [
            new Paragraph({ text: "Annual report 📈", heading: HeadingLevel.HEADING_1 }),
            new Paragraph({
              children: [
                new TextRun({ text: "Bold red", bold: true, color: "C00000" }),
                new TextRun({ text: " and italic Georgia, ", italics: true, font: "Georgia" }),
                new TextRun({ text: "then Segoe UI 😀 and Ελληνικά.", font: "Segoe UI" }),
              ],
            }),
            ...["First item", "Second item"].map((text) => new Paragraph({ text, bullet: { level: 0 } })),
            new Table({
              rows: [
                new TableRow({ children: [cell("Region"), cell("Units"), cell("Share")] }),
                new TableRow({ children: [cell("North"), cell("1,204"), cell("12.5 %")] }),
                new TableRow({ children: [cell("South"), cell("87"), cell("0.9 %")] }),
              ],
            }),
          ],
        },
      ],
    }),
  );

/** A few of the samples of `node bench pdf`; the others score PDF conversions there. */
const PDF_SAMPLES = 3;

const mail = [
  "From: Ada Example <ada@example.com>",
  "To: Grace Example <grace@example.com>",
  "Subject: =?UTF-8?Q?Caf=C3=A9_meeting?=",
  "Date: Mon, 05 Jan 2026 10:00:00 +0100",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: 8bit",
  "",
  "Dear Grace,\r\n\r\nthe café opens at nine. Regards, Ada\r\n",
].join("\r\n");

export const madeDocuments: readonly MadeSource[] = [
  { name: "report", format: "html", content: () => HTML },
  { name: "scripted", format: "html", content: () => SCRIPTED },
  { name: "fragment", format: "html", content: () => FRAGMENT },
  { name: "notes", format: "md", content: () => MARKDOWN },
  { name: "unicode", format: "txt", content: () => TEXT },
  { name: "windows-1252", format: "txt", content: () => Buffer.from("Caf\xe9 \x80 12 \x96 f\xfcr Gro\xdfe", "latin1") },
  { name: "report", format: "docx", content: report },
  { name: "mail", format: "eml", content: () => mail },
  ...samples
    .slice(0, PDF_SAMPLES)
    .map((sample): MadeSource => ({ name: sample.name, format: "docx", content: () => wordOf(sample) })),
  ...samples.slice(0, PDF_SAMPLES).map(
    (sample): MadeSource => ({
      name: sample.name,
      format: "pdf",
      write: async (path) => {
        await writeFile(`${path}.html`, htmlOf(sample));
        await runChromium(["--no-pdf-header-footer", `--print-to-pdf=${path}`, `file://${path}.html`]);
      },
    }),
  ),
];
