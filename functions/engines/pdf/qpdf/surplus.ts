import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { streamText } from "../edit/stream-text.ts";
import { withoutHistory } from "../edit/xmp.ts";

/**
 * Removes what a screen does not show: the color profile of a printing press (PDF/X), the private data of drawing programs,
 * small pictures of the pages, the metadata of single images, and of the document's XMP all that programs need only to edit it.
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
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (dict instanceof PDFDict && dict !== catalog) {
      dict.delete(name("Metadata"));
    }
  }
  shortenXmp(document);
};

const shortenXmp = ({ catalog, context }: PDFDocument): void => {
  const [ref, metadata] = [catalog.get(name("Metadata")), catalog.lookup(name("Metadata"))];
  const text = metadata instanceof PDFRawStream ? streamText(metadata) : "";
  const small = Buffer.from(withoutHistory(text));
  if (
    ref instanceof PDFRef &&
    metadata instanceof PDFRawStream &&
    text.includes("rdf:RDF") &&
    small.length < metadata.contents.length
  ) {
    const dict = metadata.dict.clone();
    dict.delete(name("Filter"));
    dict.delete(name("DecodeParms"));
    context.assign(ref, PDFRawStream.of(dict, small));
  }
};

const name = (text: string): PDFName => PDFName.of(text);

const everyItem = (array: PDFArray, test: (item: PDFDict) => boolean): boolean =>
  array.asArray().every((_, index) => {
    const item = array.lookup(index);
    return item instanceof PDFDict && test(item);
  });

const isOf = (dict: PDFDict, key: string, value: string): boolean => dict.lookup(name(key)) === name(value);
