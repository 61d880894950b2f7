import { utils, write } from "@e965/xlsx";
import type { MadeSource } from "./made.ts";

/** Data with values that converters change: leading zeros, long numbers, formulas without a stored result, quotes. */

const CSV = `id,name,price,start,active,remark
007,"Smith, ""Jo""",1234.50,2026-01-05,true,=1+1
008,Müller,0.1,2026-02-28,false,+49 170 1234567
009,山田,12345678901234567890,,true,"two
lines"
`;

const SEMICOLONS = "Ort;Betrag;Datum\nKöln;1.234,50;05.01.2024\nBonn;0,99;31.12.2023\n";

const JSON_RECORDS = JSON.stringify(
  [
    {
      id: 1,
      name: "Ada",
      tags: ["a", "b"],
      address: { city: "London", zip: "01234" },
      price: 1.1,
      ok: true,
      note: null,
    },
    { id: 2, name: "Grace", tags: [], address: { city: "Köln", zip: "50667" }, price: 2e-7, ok: false, note: "x" },
  ],
  undefined,
  1,
);

const YAML = `# comment
service: web
country: "no"
version: 1.10
ports: [80, 443]
nested:
  list:
    - name: first
      size: 0x10
  text: |
    two
    lines
date: 2026-01-05
`;

const XML = `<?xml version="1.0"?><order id="42" xmlns:x="urn:x"><item sku="A-1"><title>Pen &amp; ink</title><x:qty>3</x:qty></item>
<item sku="B-2"><title>Desk</title><x:qty>1</x:qty></item><note>Deliver <b>today</b></note></order>`;

const KML = `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Tour</name>
<Style id="red"><LineStyle><color>ff0000ff</color><width>4</width></LineStyle></Style>
<Folder><name>Stops</name><Placemark><name>Harbor</name><description>Start here</description><Point><coordinates>9.99,53.55,4</coordinates></Point></Placemark></Folder>
<Placemark><name>Walk</name><styleUrl>#red</styleUrl><LineString><coordinates>9.99,53.55 10.01,53.56 10.02,53.55</coordinates></LineString></Placemark>
</Document></kml>`;

/** A workbook as libraries write it: the formulas have no stored results, and the sheet is wider than a page. */
const workbook = (): Buffer => {
  const columns = 14;
  const head = Array.from({ length: columns }, (_, index) => `Column ${index + 1}`);
  const rows = Array.from({ length: 12 }, (_, row) => head.map((__, column) => (row + 1) * 100 + column + 0.5));
  const sheet = utils.aoa_to_sheet([[...head, "Total"], ...rows]);
  for (const [index] of rows.entries()) {
    sheet[utils.encode_cell({ r: index + 1, c: columns })] = { t: "n", f: `SUM(A${index + 2}:N${index + 2})` };
  }
  sheet["!ref"] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: rows.length, c: columns } });
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "Totals");
  return write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
};

const SRT = `1
00:00:01,000 --> 00:00:03,500
<i>Italic</i> and <font color="#ff0000">red</font>

2
00:00:04,000 --> 00:00:06,250
Two lines
with café, русский, 日本語

3
01:02:03,999 --> 01:02:05,000
{\\an8}On top
`;

const VTT = `WEBVTT

NOTE a comment

intro
00:01.000 --> 00:03.500 align:start
<v Ada>Hello</v> &amp; welcome

00:00:04.000 --> 00:00:06.250
<b>Bold</b> text
`;

export const madeData: readonly MadeSource[] = [
  { name: "values", format: "csv", content: () => CSV },
  { name: "semicolons", format: "csv", content: () => SEMICOLONS },
  { name: "records", format: "json", content: () => JSON_RECORDS },
  { name: "settings", format: "yaml", content: () => YAML },
  { name: "order", format: "xml", content: () => XML },
  { name: "tour", format: "kml", content: () => KML },
  { name: "formulas", format: "xlsx", content: workbook },
  { name: "styled", format: "srt", content: () => SRT },
  { name: "voices", format: "vtt", content: () => VTT },
];
