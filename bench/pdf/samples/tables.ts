import { prose, registerRows } from "./prose.ts";
import { grid, heading, paragraph, type Sample, title } from "./sample.ts";

const REGISTER_HEADER = ["Number", "Name", "Town", "Quantity", "Amount"];
const REGISTER_WIDTHS = [14, 26, 24, 16, 20];
const register = (seed: number, rows: number, rules: "all" | "rows" | "none", stripe?: string) =>
  grid([REGISTER_HEADER, ...registerRows(seed, rows)], {
    rules,
    widths: REGISTER_WIDTHS,
    ends: [3, 4],
    ...(stripe === undefined ? {} : { stripe }),
  });

/** Documents with tables. */
export const tableSamples: readonly Sample[] = [
  {
    name: "ruled-spans",
    kind: "ruled",
    blocks: [
      heading("Budget by department"),
      paragraph(prose(101, 3)),
      grid(
        [
          [
            { text: "Department", rows: 2, fill: "d9e2f3" },
            { text: "Planned", columns: 2, fill: "d9e2f3", align: "center" },
            { text: "Spent", columns: 2, fill: "d9e2f3", align: "center" },
          ],
          ["2024", "2025", "2024", "2025"],
          ["Transport", "410", "430", "402", "455"],
          [{ text: "Education", rows: 2 }, "820", "845", "815", "850"],
          ["35", "38", "31", "40"],
          [
            { text: "Total of all departments", columns: 3, fill: "fff2cc" },
            { text: "1,248", fill: "fff2cc" },
            { text: "1,345", fill: "fff2cc" },
          ],
        ],
        { rules: "all", widths: [32, 17, 17, 17, 17], ends: [] },
      ),
      paragraph(prose(102, 3)),
    ],
  },
  {
    name: "ruled-text-cells",
    kind: "ruled",
    blocks: [
      heading("Duties"),
      grid(
        [
          ["Role", "Task", "Remarks"],
          ...[111, 112, 113, 114].map((seed, index) => [`Role ${index + 1}`, prose(seed, 2), prose(seed + 20, 1)]),
        ],
        { rules: "all", widths: [16, 50, 34] },
      ),
    ],
  },
  {
    name: "row-rules",
    kind: "ruled",
    blocks: [heading("Register"), paragraph(prose(121, 2)), register(122, 12, "rows"), paragraph(prose(123, 3))],
  },
  {
    name: "striped",
    kind: "unruled",
    blocks: [
      heading("Stations"),
      paragraph(prose(131, 2)),
      register(132, 12, "none", "eeeeee"),
      paragraph(prose(133, 2)),
    ],
  },
  {
    name: "unruled",
    kind: "unruled",
    blocks: [
      heading("Deliveries"),
      paragraph(prose(141, 3)),
      register(142, 9, "none"),
      paragraph(prose(143, 3)),
      grid(
        [
          ["Item", "Unit price"],
          ["Rope, 20 m", "18.50"],
          ["Lantern", "42.00"],
          ["Sailcloth, white", "96.75"],
          ["Brass fittings", "7.20"],
        ],
        { rules: "none", widths: [60, 40], ends: [1] },
      ),
    ],
  },
  {
    name: "long-ruled",
    kind: "ruled",
    blocks: [heading("Complete register"), register(151, 84, "all"), paragraph(prose(152, 3))],
  },
  {
    name: "long-unruled",
    kind: "unruled",
    blocks: [heading("Complete list"), register(161, 84, "none"), paragraph(prose(162, 3))],
  },
  {
    name: "landscape",
    kind: "ruled",
    page: [842, 595],
    font: { family: "Liberation Sans", size: 9 },
    blocks: [
      heading("Monthly figures"),
      grid(
        [
          ["Site", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Total"],
          ...["Aarhus", "Bergen", "Coimbra", "Dresden", "Exeter", "Ghent", "Jena"].map((town, row) => [
            town,
            ...Array.from({ length: 9 }, (_, column) => String((row + 3) * 17 + column * 29 + row * column)),
          ]),
        ],
        { rules: "all", widths: [19, 9, 9, 9, 9, 9, 9, 9, 9, 9], ends: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
      ),
    ],
  },
  {
    name: "invoice-ruled",
    kind: "invoice",
    blocks: [
      { kind: "picture", width: 90, height: 40, color: "aa3377" },
      title("Invoice"),
      paragraph("Invoice number: **2025-0417**"),
      paragraph("Date: 14 March 2025"),
      paragraph("Brandt Marine Supplies, 12 Quay Street, Aarhus"),
      grid(
        [
          ["Description", "Quantity", "Price", "Amount"],
          ["Anchor chain, galvanized", "4", "125.00", "500.00"],
          ["Navigation light", "12", "38.50", "462.00"],
          ["Installation", "1", "250.00", "250.00"],
          [{ text: "Total", columns: 3, align: "end" }, { text: "**1,212.00**" }],
        ],
        { rules: "all", widths: [46, 16, 18, 20], ends: [1, 2, 3] },
      ),
      paragraph("Payment is due within 30 days. {c00000|Late payments} are charged with interest."),
    ],
  },
  {
    name: "invoice-plain",
    kind: "invoice",
    font: { family: "Liberation Sans", size: 10 },
    blocks: [
      title("Fontana & Sons", { align: "end" }),
      paragraph("Via Roma 8, Florence", { align: "end" }),
      paragraph("Bill to: Greene Laboratory, Exeter"),
      grid(
        [
          ["Position", "Article", "Units", "Net"],
          ["1", "Glass tubes, 200 mm", "350", "87.50"],
          ["2", "Filter paper, grade 4", "1,200", "96.00"],
          ["3", "Thermometer, digital", "15", "412.50"],
          ["4", "Shipping and packaging", "1", "24.90"],
        ],
        { rules: "none", widths: [14, 46, 20, 20], ends: [2, 3] },
      ),
      paragraph("Amount payable: **620.90**", { align: "end" }),
      paragraph(prose(171, 2)),
    ],
  },
];
