import { type PDFDict, type PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef } from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";

/** A new bookmark with the ones below it. */
interface Entry {
  readonly title: string;
  readonly page: number;
  readonly children: Entry[];
}

/**
 * Replaces the bookmarks of a document.
 *
 * @throws JobError `unsupported_feature` for a page that does not exist
 */
export const setBookmarks = async (document: PDFDocument, { options }: EngineTask): Promise<void> => {
  const { bookmarks = [] } = options;
  const count = document.getPageCount();
  const missing = bookmarks.find(({ page }) => page > count);
  if (missing !== undefined) {
    const detail = `\`bookmarks\` has page ${missing.page}; the result has ${count} pages.`;
    throw new JobError("unsupported_feature", detail, { isFinal: true });
  }
  if (bookmarks.length === 0) {
    document.catalog.delete(PDFName.of("Outlines"));
    return;
  }
  const outlines = document.context.obj({ Type: "Outlines" });
  const ref = document.context.register(outlines);
  addEntries(document, treeOf(bookmarks), { dict: outlines, ref });
  document.catalog.set(PDFName.of("Outlines"), ref);
};

/** A level that is skipped does not exist: the entry is below the one before it. */
const treeOf = (bookmarks: NonNullable<Options["bookmarks"]>): readonly Entry[] => {
  const root: Entry = { title: "", page: 1, children: [] };
  const above: Entry[] = [root];
  for (const { title, page, level = 1 } of bookmarks) {
    const depth = Math.min(level, above.length);
    const entry: Entry = { title, page, children: [] };
    above[depth - 1]?.children.push(entry);
    above.splice(depth, above.length, entry);
  }
  return root.children;
};

interface Parent {
  readonly dict: PDFDict;
  readonly ref: PDFRef;
}

/** Links the entries below a parent (ISO 32000-2, 12.3.3). */
const addEntries = (document: PDFDocument, entries: readonly Entry[], { dict, ref }: Parent): void => {
  const { context } = document;
  const items = entries.map((entry) => ({ entry, ref: context.nextRef() }));
  for (const [index, item] of items.entries()) {
    const { title, page, children } = item.entry;
    const target = context.obj([document.getPage(page - 1).ref, PDFName.of("XYZ"), null, null, null]);
    const own = context.obj({ Title: PDFHexString.fromText(title), Parent: ref, Dest: target });
    const [before, after] = [items[index - 1], items[index + 1]];
    if (before !== undefined) {
      own.set(PDFName.of("Prev"), before.ref);
    }
    if (after !== undefined) {
      own.set(PDFName.of("Next"), after.ref);
    }
    context.assign(item.ref, own);
    addEntries(document, children, { dict: own, ref: item.ref });
  }
  const [first, last] = [items[0], items.at(-1)];
  if (first !== undefined && last !== undefined) {
    dict.set(PDFName.of("First"), first.ref);
    dict.set(PDFName.of("Last"), last.ref);
    // The entries below are shown.
    dict.set(PDFName.of("Count"), PDFNumber.of(items.length));
  }
};
