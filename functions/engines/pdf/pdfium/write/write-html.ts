import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import type { Figure, PageLayout } from "../layout/model.ts";
import { readLayout } from "../layout/read-layout.ts";
import { drawBackdrop } from "../page/backdrop.ts";
import { type PdfDocument, withPage } from "../page/document.ts";
import { figureTaker, turned } from "../page/figures.ts";
import type { PictureFile } from "../page/pictures.ts";
import { isBackground } from "./flow.ts";
import { exactHtml } from "./html-exact.ts";
import { flowHtml, type HtmlPage } from "./html-flow.ts";
import { PICTURES, runningWarning, warningsOf, writeFile } from "./write.ts";

/** Writes one HTML file with embedded pictures. At most the pictures of one page are in memory. */
export const writeHtml = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const stored = await readLayout(document, numbers, {
    folder: task.folder,
    progress: (share) => task.progress(share / 2),
  });
  const layout = { ...stored, pages: [...stored.pages] };
  const exact = task.options.layout === "exact";
  const { head, pages, tail } = exact ? exactHtml(layout) : flowHtml(layout, task.options.layout !== "text");
  let lost = !exact && layout.pages.some((page) => page.floats.some((figure) => isBackground(figure, page)));
  const parts = async function* (): AsyncGenerator<string> {
    yield head;
    for (const [index, page] of pages.entries()) {
      const drawn = await drawPage(document, page, layout.pages[index]?.rotation);
      lost ||= drawn.sources.size < page.figures.length;
      yield page.html(drawn.sources, drawn.backdrop);
      task.progress(0.5 + (index + 1) / (2 * pages.length));
    }
    yield tail;
  };
  await writeFile(task.output, parts());
  const dropped = exact ? [] : runningWarning(layout);
  return { warnings: [...warningsOf(layout), ...dropped, ...(lost ? [PICTURES] : [])] };
};

interface Drawn {
  readonly sources: ReadonlyMap<Figure, string>;
  readonly backdrop?: string | undefined;
}

/** @returns the page's pictures as URLs */
const drawPage = async (
  document: PdfDocument,
  { number, figures, backdrop }: HtmlPage,
  rotation: PageLayout["rotation"],
): Promise<Drawn> => {
  const sources = new Map<Figure, string>();
  if (figures.length === 0 && backdrop === undefined) {
    return { sources };
  }
  const drawing = await withPage(document, number, async (page) => {
    const take = figureTaker(page, rotation);
    for (const figure of figures) {
      const file = await take(figure);
      file === undefined || sources.set(figure, urlOf(file));
    }
    const bytes = backdrop && (await drawBackdrop(page, rotation === undefined ? backdrop : []));
    return bytes && turned({ bytes, mediaType: "image/png" }, rotation);
  });
  return { sources, backdrop: drawing && urlOf(drawing) };
};

const urlOf = ({ bytes, mediaType }: PictureFile): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
