import { open } from "node:fs/promises";
import { join } from "node:path";
import { writeZip } from "../../../archives/zip/writer.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import type { DocumentLayout, Figure, PageLayout } from "../layout/model.ts";
import { readLayout } from "../layout/read-layout.ts";
import { drawBackdrop } from "../page/backdrop.ts";
import { type PdfDocument, withPage } from "../page/document.ts";
import { figureTaker } from "../page/figures.ts";
import type { PictureFile } from "../page/pictures.ts";
import { bodyOf, figuresBelow } from "../write/flow.ts";
import { PICTURES, runningWarning, warningsOf } from "../write/write.ts";
import { type Part, partOf, type Word } from "./blocks.ts";
import { mediaIn, separatorsXml } from "./drawings.ts";
import { filler } from "./elements.ts";
import { fieldsXml, picturesXml, textXml, turnedXml } from "./exact.ts";
import { fitOf } from "./fit.ts";
import { flowOf } from "./flow.ts";
import { looksOf } from "./looks.ts";
import { notes } from "./notes.ts";
import { numbering } from "./numbering.ts";
import { packageMembers, partStart, runningOf } from "./package.ts";
import { PLAIN_LOOKS, plainOf } from "./plain.ts";
import { isFacing, outlineOf, type Sheet, sectionXml, sheetsOf } from "./sections.ts";

/** The pictures of a page, as files. */
export interface PagePictures {
  readonly figures: ReadonlyMap<Figure, PictureFile>;
  /** Everything on the page but text and pictures, if there is anything. */
  readonly backdrop?: PictureFile | undefined;
}

/** @returns the pictures of these figures of a page, and its backdrop if it is wanted */
export type PictureSource = (page: PageLayout, figures: readonly Figure[], backdrop: boolean) => Promise<PagePictures>;

/** Writes the pages of a PDF as a Word document. */
export const writeWord = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const layout = await readLayout(document, numbers, {
    folder: task.folder,
    progress: (share) => task.progress(share / 2),
  });
  return writeLayout(layout, task, async (page, figures, backdrop) => {
    const files = new Map<Figure, PictureFile>();
    const drawings = await withPage(document, page.number, async (open) => {
      const take = figureTaker(open, page.rotation);
      for (const figure of figures) {
        const file = await take(figure);
        file === undefined || files.set(figure, file);
      }
      return backdrop ? await drawBackdrop(open) : undefined;
    });
    return { figures: files, ...(drawings && { backdrop: { bytes: drawings, mediaType: "image/png" } }) };
  });
};

/**
 * Writes a Word document from a layout, page by page: at most one page and its pictures are in memory, or all pages
 * with the layout `text`, whose paragraphs go on over pages.
 *
 * `flow` is editable text that resembles the pages, `exact` has text boxes at the positions of the lines, and `text` has
 * headings, paragraphs, lists and tables in default styles.
 */
export const writeLayout = async (
  source: DocumentLayout,
  task: EngineTask,
  pictures: PictureSource,
): Promise<EngineResult> => {
  const { layout: kind = "flow" } = task.options;
  const plain = kind === "text";
  const layout = plain ? { ...source, pages: [...source.pages] } : source;
  const word = wordOf(layout, plain, task.folder);
  const body = partOf(word);
  const outlines = plain ? [] : Array.from(layout.pages, outlineOf);
  const facing = kind === "flow" && isFacing(outlines);
  const running = runningOf(word, body);
  const sheets = new Map(
    sheetsOf(outlines, facing).flatMap((sheet) => sheet.pages.map(({ number }) => [number, sheet] as const)),
  );
  const writer = WRITERS[kind]({ body, sheets, layout, references: running.references });
  const file = join(task.folder, "document.xml");
  let lost = false;
  const out = await open(file, "wx");
  try {
    await out.write(`${partStart("document")}<w:body>`);
    let written = 0;
    for (const page of layout.pages) {
      lost = (await takePictures(word, page, { kind, source: pictures, sheets })) || lost;
      await out.write(writer.addPage(page));
      written += 1;
      task.progress(0.5 + written / (2 * layout.pages.length + 1));
    }
    await out.write(`${writer.end()}</w:body></w:document>`);
  } finally {
    await out.close();
  }
  await writeZip(task.output, packageMembers({ layout, word, body, running, facing, file }));
  return { warnings: [...warningsOf(layout), ...(lost ? [PICTURES] : []), ...(plain ? runningWarning(layout) : [])] };
};

const wordOf = (layout: DocumentLayout, plain: boolean, folder: string): Word => {
  let id = 0;
  const nextId = (): number => {
    id += 1;
    return id;
  };
  return {
    looks: plain ? PLAIN_LOOKS : looksOf(layout),
    plain,
    fit: fitOf(layout),
    numbering: numbering(),
    notes: notes(),
    media: mediaIn(folder),
    pictures: new WeakMap(),
    nextId,
  };
};

interface WriterTask {
  readonly body: Part;
  readonly layout: DocumentLayout;
  readonly sheets: Sheets;
  readonly references: (sheet: Sheet) => string;
}

/** Writes the body: pages in order, then the rest. */
interface BodyWriter {
  addPage(page: PageLayout): string;
  end(): string;
}

type Kind = NonNullable<EngineTask["options"]["layout"]>;

const WRITERS: Readonly<Record<Kind, (task: WriterTask) => BodyWriter>> = {
  flow: ({ body, sheets, references }) => {
    const flow = flowOf(body, references);
    return {
      addPage: (page) => {
        const figures = page.floats.filter((figure) => !isScan(figure, page));
        const under = picturesXml(body, figures, true) + separatorsXml(page.separators, body.word);
        const anchors = under + fieldsXml(body, page.fields) + turnedXml(body, page.turned);
        return flow.addPage(page, sheetOf(sheets, page), anchors);
      },
      end: flow.end,
    };
  },
  exact: ({ body, sheets }) => {
    const lastSheet = [...sheets.values()].at(-1);
    const sectionOf = (sheet: Sheet) =>
      sectionXml({ sheet, frames: [], type: "nextPage", references: "", first: false, rtl: false });
    return {
      addPage: (page) => {
        const sheet = sheetOf(sheets, page);
        const drawn = [backdropOf(page), ...figuresOn(page)];
        // The text of a scan is under its picture: it can be searched and copied.
        const pictures = picturesXml(body, drawn, !page.scanned);
        const lead = pictures + textXml(body, page) + turnedXml(body, page.turned);
        const isLast = sheet.pages.at(-1)?.number === page.number && sheet !== lastSheet;
        return filler({ lead, pageBreak: !startsSheet(sheet, page), section: isLast ? sectionOf(sheet) : "" });
      },
      end: () => (lastSheet === undefined ? "" : sectionOf(lastSheet)),
    };
  },
  text: ({ body, layout: { pages } }) => plainOf(body, [...pages]),
};

/** The sheet of each page, by number. */
type Sheets = ReadonlyMap<number, Sheet>;

const startsSheet = ({ pages }: Sheet, page: PageLayout): boolean => pages[0]?.number === page.number;

const sheetOf = (sheets: Sheets, page: PageLayout): Sheet => {
  const sheet = sheets.get(page.number);
  if (sheet === undefined) {
    throw new TypeError("Each page is in a sheet.");
  }
  return sheet;
};

/** Share of a page that the picture of a scan covers at least. */
const SCAN_SHARE = 0.6;

/** @returns whether the figure is the picture in which the page's text was recognized */
const isScan = ({ left, top, right, bottom }: Figure, { scanned, width, height }: PageLayout): boolean =>
  scanned && (right - left) * (bottom - top) >= SCAN_SHARE * width * height;

const figuresOn = (page: PageLayout): Figure[] => [...page.floats, ...figuresBelow(bodyOf(page))];

const backdrops = new WeakMap<PageLayout, Figure>();

/** @returns the figure that stands for the drawings of a page */
const backdropOf = (page: PageLayout): Figure => {
  const { width: right, height: bottom } = page;
  const known = backdrops.get(page) ?? { kind: "figure", left: 0, top: 0, right, bottom, spaceBefore: 0 };
  backdrops.set(page, known);
  return known;
};

interface PicturesTask {
  readonly kind: Kind;
  readonly source: PictureSource;
  readonly sheets: Sheets;
}

/** Takes the pictures of a page that the layout needs. @returns whether there are some that cannot be drawn */
const takePictures = async (word: Word, page: PageLayout, { kind, source, sheets }: PicturesTask): Promise<boolean> => {
  const sheet = sheets.get(page.number);
  const isStart = kind === "flow" && sheet !== undefined && startsSheet(sheet, page);
  const running = isStart ? new Set(Object.values(sheet.running)) : [];
  let lost = false;
  const take = async (from: PageLayout, figures: readonly Figure[], backdrop: boolean): Promise<void> => {
    const none: PagePictures = { figures: new Map() };
    const taken = figures.length > 0 || backdrop ? await source(from, figures, backdrop) : none;
    for (const [figure, file] of taken.figures) {
      word.pictures.set(figure, await word.media.add(file));
    }
    if (taken.backdrop !== undefined) {
      word.pictures.set(backdropOf(from), await word.media.add(taken.backdrop));
    }
    lost ||= taken.figures.size < figures.length;
  };
  for (const other of running) {
    await take(other, figuresBelow([...other.header, ...other.footer]), false);
  }
  const figures =
    kind === "exact" ? [...figuresOn(page), ...figuresBelow([...page.header, ...page.footer])] : figuresOn(page);
  const kept = figures.filter((figure) => kind === "exact" || !isScan(figure, page));
  await take(page, kind === "text" ? kept.filter((figure) => !page.floats.includes(figure)) : kept, kind === "exact");
  return lost || kept.length < figures.length;
};
