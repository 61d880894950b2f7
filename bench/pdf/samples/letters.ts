import { prose } from "./prose.ts";
import { bullet, grid, heading, item, paragraph, type Sample, title } from "./sample.ts";

/** Letters, reports, forms and documents with particular styles. */
export const letterSamples: readonly Sample[] = [
  {
    name: "letter",
    kind: "letter",
    blocks: [
      { kind: "picture", width: 110, height: 45, color: "228833" },
      paragraph("Northern Harbor Authority", { align: "end" }),
      paragraph("12 Quay Street, Bergen", { align: "end" }),
      paragraph("Ms. Ana Castillo"),
      paragraph("8 Station Road, Ghent"),
      paragraph("14 March 2025", { align: "end" }),
      paragraph("**Your application of 2 February**"),
      paragraph("Dear Ms. Castillo,"),
      paragraph(prose(201, 4)),
      paragraph(prose(202, 5)),
      paragraph("Yours sincerely,"),
      paragraph("Jonas Brandt"),
    ],
  },
  {
    name: "lists",
    kind: "report",
    blocks: [
      heading("Checklist"),
      paragraph(prose(211, 2)),
      bullet("Inspect all ropes and replace those that are worn"),
      bullet("Check the lanterns"),
      bullet("Fill the tanks completely", { depth: 1 }),
      bullet("Clean the glass", { depth: 1 }),
      bullet(prose(212, 2)),
      heading("Procedure"),
      item("Announce the departure by radio"),
      item("Cast off at the stern first"),
      item(prose(213, 2)),
      item("Report the position every hour"),
      paragraph(prose(214, 3)),
    ],
  },
  {
    name: "footnotes",
    kind: "report",
    printers: ["office", "typst"],
    blocks: [
      heading("Sources"),
      paragraph(`${prose(221, 3)} The oldest register is incomplete.[^Volume two was lost in 1911.] ${prose(222, 2)}`),
      paragraph(`${prose(223, 3)} Later figures are reliable.[^Compare the audit of 1954, page 12.]`),
    ],
  },
  {
    name: "running-titles",
    kind: "report",
    header: "Annual report of the harbor authority",
    footer: "Page #",
    blocks: [
      title("Annual report"),
      ...Array.from({ length: 14 }, (_, index) => [
        heading(`Section ${index + 1}`),
        paragraph(prose(231 + index, 6)),
      ]).flat(),
    ],
  },
  {
    name: "styled",
    kind: "styled",
    blocks: [
      title("Styles", { align: "center" }),
      paragraph(
        `A sentence with **bold words**, __slanted words__, {c00000|red words} and {0070c0|blue words}. ${prose(241, 2)}`,
      ),
      paragraph(
        `Some {18pt|large letters} and {8pt|small letters} follow. The area is 40 m^(2) and {mark|this part is marked}. ${prose(242, 2)}`,
      ),
      paragraph(prose(243, 3), { align: "center" }),
      paragraph(prose(244, 3), { align: "end" }),
      paragraph(prose(245, 4), { align: "justify" }),
      paragraph(`**${prose(246, 2)}**`),
      paragraph(`__${prose(247, 2)}__`),
    ],
  },
  {
    name: "plain",
    kind: "report",
    font: { family: "Liberation Serif", size: 12 },
    blocks: [title("Minutes"), ...[251, 252, 253, 254, 255].map((seed) => paragraph(prose(seed, 5)))],
  },
  {
    name: "boxed",
    kind: "report",
    blocks: [
      heading("Safety"),
      paragraph(prose(261, 3)),
      { kind: "boxed", fill: "fde9d9", blocks: [paragraph("**Warning**"), paragraph(prose(262, 3))] },
      paragraph(prose(263, 3)),
    ],
  },
  {
    name: "chart",
    kind: "report",
    printers: ["chromium", "typst"],
    blocks: [
      heading("Deliveries by month"),
      paragraph(prose(271, 3)),
      {
        kind: "chart",
        bars: [
          ["Jan", 40],
          ["Feb", 65],
          ["Mar", 90],
          ["Apr", 55],
          ["May", 75],
        ],
      },
      paragraph("Figure 1. Tons delivered to the northern pier."),
      paragraph(prose(272, 3)),
    ],
  },
  {
    name: "sideways",
    kind: "report",
    printers: ["chromium", "typst"],
    blocks: [
      { kind: "sideways", text: "Confidential draft of the committee" },
      heading("Report"),
      paragraph(prose(281, 6)),
      paragraph(prose(282, 6)),
    ],
  },
  {
    name: "form",
    kind: "form",
    blocks: [
      title("Registration"),
      grid(
        [
          [{ text: "Last name" }, { text: "" }, { text: "First name" }, { text: "" }],
          [{ text: "Street" }, { text: "", columns: 3 }],
          [{ text: "Town" }, { text: "" }, { text: "Country" }, { text: "" }],
        ],
        { rules: "all", widths: [18, 32, 18, 32], boldHeader: false },
      ),
      paragraph("Please complete all fields and return the form before 31 May."),
      paragraph(prose(291, 2)),
    ],
  },
];
