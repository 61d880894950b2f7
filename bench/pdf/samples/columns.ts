import { hyphenated, prose } from "./prose.ts";
import { type Columns, grid, heading, paragraph, type Sample, title } from "./sample.ts";

const justified = (seed: number, sentences: number, text = prose) =>
  paragraph(text(seed, sentences), { align: "justify" });

const twoColumns: Columns = {
  kind: "columns",
  count: 2,
  blocks: [
    heading("1 Introduction"),
    justified(11, 9),
    justified(12, 8),
    heading("2 Measurements"),
    justified(13, 9),
    justified(14, 10),
    justified(15, 8),
  ],
};

/** Documents with columns. */
export const columnSamples: readonly Sample[] = [
  {
    name: "two-columns",
    kind: "columns",
    blocks: [
      title("A survey of coastal stations", { align: "center" }),
      paragraph("Maria Castillo and Jonas Brandt", { align: "center" }),
      twoColumns,
    ],
  },
  {
    name: "two-columns-picture",
    kind: "columns",
    blocks: [
      title("Field report"),
      {
        kind: "columns",
        count: 2,
        blocks: [
          justified(21, 9),
          { kind: "picture", width: 180, height: 110, color: "4477aa" },
          justified(22, 9),
          justified(23, 9),
        ],
      },
      grid(
        [
          ["Station", "January", "February", "March"],
          ["North pier", "12.4", "13.1", "15.0"],
          ["River mouth", "11.8", "12.9", "14.2"],
          ["Old harbor", "10.6", "11.7", "13.9"],
        ],
        { rules: "all", widths: [40, 20, 20, 20], ends: [1, 2, 3] },
      ),
      paragraph("Table 1. Mean temperature of the water in degrees."),
    ],
  },
  {
    name: "three-columns",
    kind: "columns",
    page: [612, 792],
    font: { family: "Liberation Serif", size: 9 },
    blocks: [
      title("Official notices", { align: "center" }),
      {
        kind: "columns",
        count: 3,
        blocks: [
          heading("Summary"),
          ...[31, 32, 33, 34, 35, 36].map((seed) => justified(seed, 8)),
          heading("Dates"),
          justified(37, 9),
        ],
      },
    ],
  },
  {
    name: "hyphenation",
    kind: "columns",
    font: { family: "Liberation Serif", size: 10 },
    blocks: [
      title("Hyphenated columns"),
      { kind: "columns", count: 2, blocks: [41, 42, 43, 44, 45].map((seed) => justified(seed, 8, hyphenated)) },
    ],
  },
  {
    name: "paper",
    kind: "columns",
    page: [612, 792],
    font: { family: "New Computer Modern", size: 10 },
    printers: ["typst"],
    blocks: [
      title("On the precision of regional registers", { align: "center" }),
      paragraph("Department of Records", { align: "center" }),
      {
        kind: "columns",
        count: 2,
        blocks: [
          heading("Abstract"),
          justified(51, 6),
          heading("1 Background"),
          justified(52, 10),
          justified(53, 9),
          heading("2 Results"),
          justified(54, 12),
          justified(55, 11),
          justified(56, 12),
        ],
      },
    ],
  },
  {
    name: "drop-cap",
    kind: "columns",
    printers: ["chromium"],
    blocks: [title("A chapter"), paragraph(prose(61, 9), { dropCap: true, align: "justify" }), justified(62, 8)],
  },
];
