import { expect, test } from "vitest";
import { across, firstPage, line, lines, paragraphsIn, prose, textOf } from "../../support/documents/layout-content.ts";

/** Paragraphs and their styles. */

const TEXT = prose(12, 400);

test("ends paragraphs at indents, white space and lines with room for the next word", () => {
  const words = [
    ...lines(TEXT.slice(0, 3), 50, 100),
    ...line("ended early.", 50, 136),
    ...lines(TEXT.slice(3, 6), 50, 148),
    ...line(TEXT[6] ?? "", 70, 184),
    ...lines(TEXT.slice(7, 9), 50, 196),
    ...lines(TEXT.slice(9, 12), 50, 240),
  ];
  const found = paragraphsIn(firstPage({ words }));
  expect(found.map(({ lines: { length } }) => length)).toEqual([4, 3, 3, 3]);
  expect(found.map(({ firstLine }) => firstLine)).toEqual([0, 0, 20, 0]);
  expect(found[3]?.spaceBefore).toBeGreaterThan(10);
  expect(found[0]?.lineHeight).toBeCloseTo(12);
});

test("keeps entries with a hanging indent together", () => {
  const entry = (top: number) => [
    ...line(TEXT[0] ?? "", 50, top),
    ...lines([TEXT[1]?.slice(0, 70) ?? "", "the end."], 80, top + 12),
  ];
  const found = paragraphsIn(firstPage({ words: [...entry(100), ...entry(136), ...entry(172)] }));
  expect(found.map(({ lines: { length } }) => length)).toEqual([3, 3, 3]);
  expect(found[0]).toMatchObject({ indentLeft: 30, firstLine: -30 });
});

test("keeps lines of texts side by side apart", () => {
  const rows = [
    ["Union School District", "April 6, 2026"],
    ["1309 S. Mary Avenue", "7:30 a.m."],
    ["Sunnyvale, CA 94087"],
  ];
  const words = rows.flatMap(([left = "", right = ""], index) => [
    ...line(left, 50, 100 + index * 12),
    ...(right === "" ? [] : line(right, 480, 100 + index * 12)),
  ]);
  const found = paragraphsIn(firstPage({ words: [...words, ...lines(prose(6, 500), 50, 200)] }));
  expect(found.slice(0, 3).map(textOf)).toEqual(rows.map((texts) => texts.join("\t")));
});

test("joins divided words, except compounds that the text has elsewhere", () => {
  const words = [...lines(["A well-known ship of the interna-", "tional fleet and a well-", "known port."], 50, 100)];
  expect(paragraphsIn(firstPage({ words })).map(textOf)).toEqual([
    "A well-known ship of the international fleet and a well-known port.",
  ]);
});

test("keeps the lines of a centered title apart, also if the PDF has them as one paragraph", () => {
  const tag = { role: "paragraph", element: 7 } as const;
  const body = lines(prose(12, 500), 50, 200);
  const middle = (50 + Math.max(...body.map(({ right }) => right))) / 2;
  const title = (text: string, top: number) => {
    const width = line(text, 0, top).at(-1)?.right ?? 0;
    return line(text, middle - width / 2, top, { tag });
  };
  const words = [
    ...title("Summary by received date", 100),
    ...title("07/01/2015 - 03/25/2016", 112),
    ...title("Fiscal year", 124),
    ...body,
  ];
  expect(paragraphsIn(firstPage({ words })).slice(0, 3).map(textOf)).toEqual([
    "Summary by received date",
    "07/01/2015 - 03/25/2016",
    "Fiscal year",
  ]);
});

test("keeps the counted lines of a transcript apart", () => {
  const counted = ["matter came on for oral argument before the", "Supreme Court of the United States at 1:01", "p.m."];
  const tag = { role: "paragraph", element: 7 } as const;
  const words = counted.flatMap((text, index) => [
    ...line(String(index + 1), 50, 100 + index * 24, { tag }),
    ...line(text, 90, 100 + index * 24, { tag }),
  ]);
  const empty = [...line("4", 50, 172, { tag }), ...line("5", 50, 196, { tag })];
  const found = paragraphsIn(firstPage({ words: [...words, ...empty] }));
  expect(found.map((each) => textOf(each).replace(/\s+/g, " "))).toEqual([
    ...counted.map((text, index) => `${index + 1} ${text}`),
    "4",
    "5",
  ]);
});

test("distinguishes centered, flush right and other text", () => {
  const body = lines(prose(12, 500), 50, 300);
  const centered = line("In the middle", 270, 100);
  const right = line("12 May 2026", 500, 150);
  const found = paragraphsIn(firstPage({ words: [...centered, ...right, ...body] }));
  expect(found.map(({ align }) => align)).toEqual(["center", "end", "start"]);
});

test("finds headings by size, by weight and by tag", () => {
  const words = [
    ...line("Large letters", 50, 60, { size: 16 }),
    ...lines(TEXT.slice(0, 4), 50, 100),
    ...line("Bold letters", 50, 170, { bold: true }),
    ...lines(TEXT.slice(4, 8), 50, 190),
    ...line("Tagged letters", 50, 260, { tag: { role: "heading", level: 3, element: 1 } }),
    ...lines(TEXT.slice(8, 12), 50, 280),
  ];
  const found = paragraphsIn(firstPage({ words }));
  expect(found.map(({ heading }) => heading)).toEqual([1, undefined, 2, undefined, 3, undefined]);
});

test("finds underlined, struck and highlighted words, and superscripts", () => {
  const words = [
    ...line("plain under strike bright", 50, 100),
    ...line("2", 168, 96, { size: 6 }),
    ...lines(TEXT.slice(0, 3), 50, 140),
  ];
  const [, under, strike, bright] = words;
  const rules = [across(102, under?.left ?? 0, under?.right ?? 0), across(97, strike?.left ?? 0, strike?.right ?? 0)];
  const fills = [{ left: bright?.left ?? 0, right: bright?.right ?? 0, top: 91, bottom: 103, color: "ffff00" }];
  const [first] = paragraphsIn(firstPage({ words, rules, fills }));
  expect(
    first?.runs.map(({ text, underline, strike: struck, highlight, shift }) => [
      text.trim(),
      underline,
      struck,
      highlight,
      shift,
    ]),
  ).toEqual([
    ["plain", undefined, undefined, undefined, undefined],
    ["under", true, undefined, undefined, undefined],
    ["strike", undefined, true, undefined, undefined],
    ["bright", undefined, undefined, "ffff00", undefined],
    ["2", undefined, undefined, undefined, "above"],
  ]);
});

test("measures an underline from its own words, not from text of another column at that height", () => {
  const words = [
    ...line("Quotation in the other column", 50, 103, { size: 12 }),
    ...line("REVENUE", 400, 100, { size: 9 }),
  ];
  const own = words.at(-1);
  const rules = [across(103.2, own?.left ?? 0, own?.right ?? 0)];
  const runs = paragraphsIn(firstPage({ words, rules })).flatMap((paragraph) => paragraph.runs);
  expect(runs.find(({ text }) => text.includes("REVENUE"))).toMatchObject({ underline: true });
});

test("aligns a title of two lines at the start though its first line is full", () => {
  const title = lines(["Contributors to the growth of the harbor", "and its economy"], 50, 60, 20, { size: 16 });
  const text = lines(prose(8, (title.at(-4)?.right ?? 0) - 50), 50, 140);
  const [first] = paragraphsIn(firstPage({ words: [...title, ...text] }));
  expect(first).toMatchObject({ heading: 1, align: "start" });
});

test("puts a tab at a wide gap in a line", () => {
  const words = [...line("Signature", 50, 100), ...line("Date", 300, 100), ...lines(TEXT, 50, 200)];
  const [first] = paragraphsIn(firstPage({ words }));
  expect(first && textOf(first)).toBe("Signature\tDate");
  expect(first?.lines[0]?.tabs).toEqual([300]);
});

test("counts the places of texts side by side from the start edge, also at the end of the column", () => {
  const wide = lines(TEXT.slice(0, 4), 50, 100);
  const right = Math.max(...wide.map((word) => word.right));
  const words = [...wide, ...line("Left", right - 140, 180), ...line("Right", right - 25, 180)];
  const found = paragraphsIn(firstPage({ words })).at(-1);
  expect(found).toMatchObject({ align: "start", lines: [{ tabs: [right - 25] }] });
  expect(found?.indentLeft).toBeCloseTo(right - 190);
});

test("reads lines from right to left, with Latin words in their own order", () => {
  const hebrew = (text: string, left: number) => line(text, left, 100, { rtl: true });
  const words = [...hebrew("שלום", 300), ...line("PDF file", 200, 100), ...hebrew("עולם", 150)];
  const [found] = paragraphsIn(firstPage({ words, rtl: true }));
  expect(found && textOf(found).replaceAll("\t", " ")).toBe("שלום PDF file עולם");
  expect(found?.rtl).toBe(true);
});

test("does not underline or link the space before a link", () => {
  const link = { link: "https://example.org/", underline: true };
  const words = [...line("See", 50, 100), ...line("the page", 68, 100, link), ...line("now", 120, 100)];
  const runs = paragraphsIn(firstPage({ words }))[0]?.runs ?? [];
  expect(runs.map(({ text, underline, link: address }) => [text, underline, address])).toEqual([
    ["See ", undefined, undefined],
    ["the page", true, "https://example.org/"],
    [" now", undefined, undefined],
  ]);
});
