import type { PdfPage } from "./document.ts";
import { type Box, floats, type Placing } from "./geometry.ts";
import { withMemory } from "./module.ts";

/** A clickable area on a page. */
export interface LinkArea extends Box {
  readonly address: string;
}

/** URL schemes that are kept: others run programs or open files. */
const KEPT = /^(?:https?:\/\/|mailto:)[^\s"'<>\p{Cc}]+$/iu;
const ADDRESS_BYTES_MAX = 2_048;
const LINKS_MAX = 5_000;
/** A web link (PDFACTION_URI of fpdf_doc.h). */
const TO_WEB = 3;

/** @returns the web and mail links of a page; links within the document are left out */
export const linksOf = (page: PdfPage, placing: Placing): LinkArea[] => {
  const {
    pdfium,
    open: { handle: document },
  } = page.document;
  const { call } = pdfium;
  const links: LinkArea[] = [];
  withMemory(pdfium, ADDRESS_BYTES_MAX + 24, (scratch) => {
    const [link, text] = [scratch + 4, scratch + 24];
    while (links.length < LINKS_MAX && call.FPDFLink_Enumerate(page.handle, scratch, link) === 1) {
      const handle = pdfium.view().getUint32(link, true);
      const action = call.FPDFLink_GetAction(handle);
      if (action === 0 || call.FPDFAction_GetType(action) !== TO_WEB) {
        continue;
      }
      const length = call.FPDFAction_GetURIPath(document, action, text, ADDRESS_BYTES_MAX);
      const bytes = pdfium.bytes().subarray(text, text + Math.max(0, Math.min(length, ADDRESS_BYTES_MAX) - 1));
      const address = Buffer.from(bytes).toString("utf8");
      if (KEPT.test(address) && call.FPDFLink_GetAnnotRect(handle, scratch + 8) === 1) {
        const [left, top, right, bottom] = floats(pdfium.view(), scratch + 8);
        links.push({ address, ...placing.box(left, top, right, bottom) });
      }
    }
  });
  return links;
};
