import { deflateSync } from "node:zlib";
import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";

/**
 * Removes what a screen does not show: the color profile of a printing press (PDF/X), the private data of drawing programs,
 * and small pictures of the pages. Compresses the XMP, except of PDF/A, whose first part does not allow it.
 */
export const removeSurplus = (document: PDFDocument): void => {
  const { catalog, context } = document;
  const intents = catalog.lookup(name("OutputIntents"));
  if (intents instanceof PDFArray && everyItem(intents, (item) => isOf(item, "S", "GTS_PDFX"))) {
    catalog.delete(name("OutputIntents"));
  }
  for (const dict of [catalog, ...document.getPages().map(({ node }) => node)]) {
    dict.delete(name("PieceInfo"));
    dict.delete(name("Thumb"));
  }
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream && isPlainXmp(object)) {
      const dict = object.dict.clone();
      dict.set(name("Filter"), name("FlateDecode"));
      context.assign(ref, PDFRawStream.of(dict, deflateSync(object.contents)));
    }
  }
};

const name = (text: string): PDFName => PDFName.of(text);

const everyItem = (array: PDFArray, test: (item: PDFDict) => boolean): boolean =>
  array.asArray().every((_, index) => {
    const item = array.lookup(index);
    return item instanceof PDFDict && test(item);
  });

const isOf = (dict: PDFDict, key: string, value: string): boolean => dict.lookup(name(key)) === name(value);

const isPlainXmp = ({ dict, contents }: PDFRawStream): boolean =>
  isOf(dict, "Type", "Metadata") && !dict.has(name("Filter")) && !Buffer.from(contents).includes("pdfaid");
