import type { PDFPage } from "@cantoo/pdf-lib";

/** Adds code to the content of a page, in the coordinates of the page, after or before the existing content. */

/**
 * The existing content may have changed the transformation, so it is wrapped in a saved graphics state.
 *
 * @param code operators of a content stream
 */
export const appendContent = (page: PDFPage, code: string): void => {
  isolate(page);
  page.node.addContentStream(streamOf(page, code));
};

/** The code is drawn first, below everything else. It must not change the graphics state. */
export const prependContent = (page: PDFPage, code: string): void => {
  isolate(page);
  page.node.wrapContentStreams(streamOf(page, code), streamOf(page, ""));
};

const isolate = (page: PDFPage): void => {
  page.node.normalize();
  page.node.wrapContentStreams(streamOf(page, "q\n"), streamOf(page, "\nQ\n"));
};

const streamOf = ({ doc: { context } }: PDFPage, code: string) => context.register(context.flateStream(code));

/** @returns the numbers as operands */
export const operands = (values: readonly number[]): string =>
  values.map((value) => Number(value.toFixed(4))).join(" ");
