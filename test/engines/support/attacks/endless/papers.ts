import { deflateSync } from "node:zlib";
import type { FormatId } from "../../../../../functions/domain/formats/formats.ts";
import { type Attack, attack, repeated } from "../attack.ts";

/** PDFs that require endless work: pages and forms that contain each other, and excessive page content. */

/** @returns a PDF of these objects, the first being the catalog, without a cross-reference table */
const pdf = (objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]),
    Buffer.from("trailer\n<</Root 1 0 R>>\n%%EOF\n"),
  ]);

const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const page = (more: string): string =>
  `<</Type/Page/Parent 2 0 R${more.includes("/MediaBox") ? "" : "/MediaBox[0 0 200 200]"}${more}>>`;
const stream = (bytes: string | Buffer, more = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`<</Length ${bytes.length}${more}>>stream\n`),
    Buffer.from(bytes),
    Buffer.from("\nendstream"),
  ]);
const form = (number: number): Buffer =>
  stream("/X Do ".repeat(20), `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${number} 0 R>>>>`);

const PDF_TARGETS: readonly FormatId[] = ["png", "txt", "html", "docx", "pptx", "xlsx", "pdf"];
export const papers: readonly Attack[] = (
  [
    ["circular pages", () => [CATALOG, "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>", page("")]],
    [
      "nested page trees",
      () => [
        CATALOG,
        ...Array.from({ length: 5_000 }, (_, index) => `<</Type/Pages/Kids[${index + 3} 0 R]/Count 1>>`),
        page(""),
      ],
    ],
    ["a billion pages", () => [CATALOG, "<</Type/Pages/Kids[3 0 R]/Count 1000000000>>", page("")]],
    [
      "an enormous page",
      () => [CATALOG, PAGES, page("/MediaBox[0 0 1e9 1e9]/Contents 4 0 R"), stream("0 0 1e9 1e9 re f")],
    ],
    [
      "a picture of 60,000 × 60,000",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"),
        stream("200 0 0 200 0 0 cm /X Do"),
        stream(
          deflateSync(Buffer.alloc(1_000_000)),
          "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode",
        ),
      ],
    ],
    [
      "graphics states saved but not restored",
      () => [CATALOG, PAGES, page("/Contents 4 0 R"), stream("q ".repeat(500_000))],
    ],
    ["nested arrays", () => [CATALOG, PAGES, page(`/A ${"[".repeat(100_000)}`)]],
    [
      "a circular outline",
      () => [
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>",
        PAGES,
        page(""),
        "<</First 5 0 R/Last 5 0 R/Count 1>>",
        "<</Title(a)/Next 5 0 R/First 4 0 R>>",
      ],
    ],
    [
      "a length that refers to itself",
      () => [CATALOG, PAGES, page("/Contents 4 0 R"), "<</Length 4 0 R>>stream\nx\nendstream"],
    ],
    [
      "100,000 characters at one position",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>"),
        stream(`BT /F 9 Tf ${"(x) Tj 0 0 Td ".repeat(100_000)} ET`),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      ],
    ],
    [
      "100,000 lines",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R"),
        stream(repeated((n) => `${n % 200} 0 m ${n % 200} ${n % 190} l S `, 100_000)),
      ],
    ],
  ] as const
).map(([name, objects]) => attack("pdf", PDF_TARGETS, name, () => pdf(objects())));

/** PDFs whose work PDFium does not limit: the limits of their process stop them. */
export const endlessPapers: readonly Attack[] = (
  [
    [
      "forms that contain each other",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"),
        stream("/X Do"),
        form(6),
        form(5),
      ],
    ],
    [
      "nested forms",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>"),
        stream("/X Do"),
        ...Array.from({ length: 12 }, (_, index) => form(index + 6)),
        stream("0 0 9 9 re f", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
      ],
    ],
    [
      "1 GB of content",
      () => {
        const packed = deflateSync(deflateSync(Buffer.alloc(1_000_000_000, "0 0 9 9 re f "), { level: 1 }));
        return [CATALOG, PAGES, page("/Contents 4 0 R"), stream(packed, "/Filter[/FlateDecode/FlateDecode]")];
      },
    ],
    [
      "an enormous number of dashes",
      () => [CATALOG, PAGES, page("/Contents 4 0 R"), stream("[0.00001] 0 d 0 0 m 1000000 1000000 l S")],
    ],
    [
      "a pattern with tiny tiles",
      () => [
        CATALOG,
        PAGES,
        page("/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>"),
        stream("/Pattern cs /P scn 0 0 200 200 re f"),
        stream(
          "0 0 1 1 re f",
          "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>",
        ),
      ],
    ],
  ] as const
).map(([name, objects]) => attack("pdf", ["png"], name, () => pdf(objects())));
