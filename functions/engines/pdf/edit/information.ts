import { PDFDict, type PDFDocument, PDFHexString, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import type { EngineTask } from "../../core/engine.ts";
import { INFORMATION } from "./information-names.ts";
import { streamText } from "./stream-text.ts";
import { withProperties } from "./xmp.ts";

const METADATA = PDFName.of("Metadata");

/**
 * Removes the metadata of a document if requested, and sets its title, author, subject and keywords, in both places
 * where a PDF has them: the information dictionary and the XMP packet. An empty text removes the property.
 */
export const setInformation = async (document: PDFDocument, { options }: EngineTask): Promise<void> => {
  if (options.strip_metadata === "all") {
    removeMetadata(document);
  }
  const wanted = INFORMATION.flatMap(({ option, key }) => {
    const value = options[option];
    return value === undefined ? [] : [{ option, key, value }];
  });
  const information = informationOf(document);
  for (const { key, value } of wanted) {
    if (value === "") {
      information.delete(PDFName.of(key));
    } else {
      information.set(PDFName.of(key), PDFHexString.fromText(value));
    }
  }
  const packet = document.catalog.lookup(METADATA);
  if (packet instanceof PDFRawStream) {
    const values = new Map(wanted.map(({ option, value }) => [option, value]));
    const changed = withProperties(streamText(packet), values);
    const stream = document.context.stream(Buffer.from(changed), { Type: "Metadata", Subtype: "XML" });
    document.catalog.set(METADATA, document.context.register(stream));
  }
};

/** @returns the information dictionary, which is created if there is none */
const informationOf = ({ context }: PDFDocument): PDFDict => {
  const { Info } = context.trailerInfo;
  const known = context.lookup(Info);
  if (known instanceof PDFDict) {
    return known;
  }
  const created = context.obj({});
  context.trailerInfo.Info = context.register(created);
  return created;
};

/** Where programs store metadata: of the document, of pages and of images (ISO 32000-2, 14.3, 14.5). */
const STORES = [METADATA, PDFName.of("PieceInfo")];

const removeMetadata = (document: PDFDocument): void => {
  delete document.context.trailerInfo.Info;
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFDict ? object : object instanceof PDFRawStream ? object.dict : undefined;
    for (const name of STORES) {
      dict?.delete(name);
    }
  }
};
