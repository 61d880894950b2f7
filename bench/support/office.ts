import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx";

/** Documents of the benchmark, generated so that all runs are comparable. */

const PARAGRAPHS = 230;
const SENTENCE = "The harbor report covers ropes, sails and lanterns, and of who cast off when the tide had turned. ";

/** Creates a Word document of nine pages of text, with headings and a table on each. */
export const makeDocx = async (folder: string): Promise<string> => {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const children = Array.from({ length: PARAGRAPHS }, (_, index) => {
    const text = new Paragraph({ children: [new TextRun(`${index}. ${SENTENCE.repeat(2)}`)] });
    if (index % 25 !== 0) {
      return [text];
    }
    const rows = Array.from(
      { length: 4 },
      (__, row) => new TableRow({ children: ["ship", "crew"].map((name) => cell(`${name} ${row}`)) }),
    );
    return [
      new Paragraph({ text: `Chapter ${index / 25 + 1}`, heading: HeadingLevel.HEADING_1 }),
      new Table({ rows }),
      text,
    ];
  });
  const path = join(folder, "report.docx");
  await writeFile(path, await Packer.toBuffer(new Document({ sections: [{ children: children.flat() }] })));
  return path;
};

/** Creates a web page of 60 sections. */
export const makeHtml = async (folder: string): Promise<string> => {
  const path = join(folder, "page.html");
  const paragraphs = Array.from({ length: 60 }, (_, index) => `<h2>${index}</h2><p>${SENTENCE.repeat(3)}</p>`);
  await writeFile(path, `<!doctype html><meta charset="utf-8"><title>Report</title>${paragraphs.join("")}`);
  return path;
};
