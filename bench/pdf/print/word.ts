import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  FootnoteReferenceRun,
  Header,
  ImageRun,
  type IParagraphOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  SectionType,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import sharp from "sharp";
import {
  A4,
  type Align,
  type Block,
  BODY_SIZE,
  type Cell,
  type Grid,
  HEADING_SCALE,
  type Picture,
  type Run,
  type Sample,
  type Text,
  TITLE_SCALE,
} from "../samples/sample.ts";
import { pictureSvg } from "./html.ts";

/** Twentieths of a point. */
const TWIPS = 20;
const MARGIN = 60 * TWIPS;
const LISTS = "lists";

interface Settings {
  readonly sample: Sample;
  readonly size: number;
  readonly pictures: ReadonlyMap<Picture, Buffer>;
  /** Text of the notes, in order; runs refer to them by position, from 1. */
  readonly notes: string[];
}

/** @returns the sample as a Word document for LibreOffice */
export const wordOf = async (sample: Sample): Promise<Buffer> => {
  const { family, size } = sample.font ?? { family: "Carlito", size: BODY_SIZE };
  const settings: Settings = { sample, size, pictures: await picturesOf(sample), notes: [] };
  const sections = sectionsOf(sample.blocks).map((blocks) => sectionOf(blocks, settings));
  const footnotes = Object.fromEntries(
    settings.notes.map((text, index) => [index + 1, { children: [new Paragraph(text)] }]),
  );
  const document = new Document({
    styles: { default: { document: { run: { font: family, size: size * 2, rightToLeft: sample.rtl === true } } } },
    numbering: { config: [{ reference: LISTS, levels: [numberLevel] }] },
    footnotes,
    sections,
  });
  return Packer.toBuffer(document);
};

const numberLevel = {
  level: 0,
  format: LevelFormat.DECIMAL,
  text: "%1.",
  alignment: AlignmentType.START,
  style: { paragraph: { indent: { left: 360, hanging: 360 } } },
} as const;

const picturesOf = async ({ blocks }: Sample): Promise<Map<Picture, Buffer>> => {
  const pictures = blocks.flatMap((block): readonly Block[] => (block.kind === "columns" ? block.blocks : [block]));
  const found = new Map<Picture, Buffer>();
  for (const picture of pictures) {
    if (picture.kind === "picture") {
      found.set(
        picture,
        await sharp(Buffer.from(pictureSvg(picture)), { density: 144 })
          .png()
          .toBuffer(),
      );
    }
  }
  return found;
};

/** Columns are a separate section. */
const sectionsOf = (blocks: readonly Block[]): Block[][] => {
  const sections: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === "columns") {
      sections.push([block], []);
    } else {
      sections.at(-1)?.push(block);
    }
  }
  return sections.filter((section, index) => section.length > 0 || index === sections.length - 1);
};

const sectionOf = (blocks: readonly Block[], settings: Settings) => {
  const { sample } = settings;
  const [width, height] = sample.page ?? A4;
  const columns = blocks.find((block) => block.kind === "columns");
  const line = (text: string) =>
    new Paragraph({
      alignment: AlignmentType.CENTER,
      children: [
        new TextRun({
          children: text.split("#").flatMap((part, at) => (at === 0 ? [part] : [PageNumber.CURRENT, part])),
          size: 18,
        }),
      ],
    });
  return {
    properties: {
      type: SectionType.CONTINUOUS,
      page: {
        size: { width: width * TWIPS, height: height * TWIPS },
        margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
      },
      ...(columns === undefined ? {} : { column: { count: columns.count, space: 20 * TWIPS, equalWidth: true } }),
    },
    ...(sample.header === undefined ? {} : { headers: { default: new Header({ children: [line(sample.header)] }) } }),
    ...(sample.footer === undefined ? {} : { footers: { default: new Footer({ children: [line(sample.footer)] }) } }),
    children: blocks.flatMap((block) => blockOf(block, settings)),
  };
};

const blockOf = (block: Block, settings: Settings): (Paragraph | Table)[] => {
  switch (block.kind) {
    case "text":
      return [textOf(block, settings)];
    case "grid":
      return [gridOf(block, settings), new Paragraph({ children: [], spacing: { after: 0, line: 160 } })];
    case "columns":
      return block.blocks.flatMap((inner) => blockOf(inner, settings));
    case "boxed": {
      const edge = { style: BorderStyle.SINGLE, size: 8, color: "000000", space: 4 };
      const frame = {
        border: { top: edge, bottom: edge, left: edge, right: edge },
        shading: { type: ShadingType.CLEAR, fill: block.fill },
      };
      return block.blocks.map((text) => textOf(text, settings, frame));
    }
    case "picture":
      return [new Paragraph({ children: [pictureOf(block, settings)], spacing: { after: 160 } })];
    default:
      throw new Error(`A ${block.kind} is not printed by LibreOffice.`);
  }
};

const pictureOf = (picture: Picture, { pictures }: Settings): ImageRun =>
  new ImageRun({
    type: "png",
    data: pictures.get(picture) ?? Buffer.alloc(0),
    transformation: { width: picture.width * (4 / 3), height: picture.height * (4 / 3) },
  });

const ALIGNMENTS: Readonly<Record<Align, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  start: AlignmentType.START,
  center: AlignmentType.CENTER,
  end: AlignmentType.END,
  justify: AlignmentType.JUSTIFIED,
};

const textOf = (text: Text, settings: Settings, frame: IParagraphOptions = {}): Paragraph => {
  const scale = text.role === "title" ? TITLE_SCALE : text.role === "heading" ? HEADING_SCALE : 1;
  const strong = scale > 1;
  return new Paragraph({
    ...frame,
    alignment: ALIGNMENTS[text.align ?? "start"],
    bidirectional: settings.sample.rtl === true,
    spacing: { after: 160, line: 290 },
    ...(text.role === "bullet" ? { bullet: { level: text.depth ?? 0 } } : {}),
    ...(text.role === "number" ? { numbering: { reference: LISTS, level: 0 } } : {}),
    children: text.runs.flatMap((run) => runOf(run, settings, { size: settings.size * scale, strong })),
  });
};

const runOf = (run: Run, { sample, notes }: Settings, { size, strong }: { size: number; strong: boolean }) => {
  if (run.note !== undefined) {
    notes.push(run.note);
    return [new FootnoteReferenceRun(notes.length)];
  }
  return [
    new TextRun({
      text: run.text,
      bold: strong || run.bold === true,
      boldComplexScript: strong || run.bold === true,
      italics: run.italic === true,
      size: Math.round((run.size ?? size) * 2),
      sizeComplexScript: Math.round((run.size ?? size) * 2),
      rightToLeft: sample.rtl === true,
      superScript: run.superscript === true,
      ...(run.color === undefined ? {} : { color: run.color }),
      ...(run.highlight === undefined ? {} : { shading: { type: ShadingType.CLEAR, fill: run.highlight } }),
    }),
  ];
};

const gridOf = (grid: Grid, settings: Settings): Table => {
  const [width] = settings.sample.page ?? A4;
  const inner = width * TWIPS - 2 * MARGIN;
  const line = { style: BorderStyle.SINGLE, size: 6, color: "000000" };
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  const all = grid.rules === "all" ? line : none;
  const cellOf = (cell: Cell, row: number): TableCell => {
    const fill = cell.fill ?? (row % 2 === 1 ? grid.stripe : undefined);
    return new TableCell({
      rowSpan: cell.rows ?? 1,
      columnSpan: cell.columns ?? 1,
      margins: { top: 50, bottom: 50, left: 100, right: 100 },
      borders: { top: all, left: all, right: all, bottom: grid.rules === "none" ? none : line },
      ...(fill === undefined ? {} : { shading: { type: ShadingType.CLEAR, fill } }),
      children: [
        new Paragraph({
          alignment: ALIGNMENTS[cell.align ?? "start"],
          bidirectional: settings.sample.rtl === true,
          children: cell.runs.flatMap((run) => runOf(run, settings, { size: settings.size, strong: false })),
        }),
      ],
    });
  };
  return new Table({
    layout: TableLayoutType.FIXED,
    visuallyRightToLeft: settings.sample.rtl === true,
    width: { size: inner, type: WidthType.DXA },
    columnWidths: grid.widths.map((share) => Math.round((share * inner) / 100)),
    rows: grid.rows.map((row, index) => new TableRow({ children: row.map((cell) => cellOf(cell, index)) })),
  });
};
