import { readFile } from "node:fs/promises";
import { AFRelationship, embedFacturX, PDFDict, type PDFDocument, PDFHexString, PDFName } from "@cantoo/pdf-lib";
import { PDF_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { mediaTypeOf } from "../../../domain/formats/formats.ts";
import type { EngineTask } from "../../core/engine.ts";
import { checkInput } from "../../core/input.ts";
import { checkPdfA } from "./pdf-a.ts";

/** Attaches the uploaded file under its name. */
export const attachUpload = async (document: PDFDocument, { optionFiles }: EngineTask): Promise<void> => {
  const file = optionFiles.attachment_upload_id;
  if (file === undefined) {
    return;
  }
  await checkInput(file.path, { max: PDF_BYTES_MAX, name: "attachment" });
  // pdf-lib writes the name into a string without escapes.
  const safe = file.name.replaceAll(/[^\x20-\x7e]|[()\\]/g, "_");
  await document.attach(await readFile(file.path), safe, {
    mimeType: mediaTypeOf(file.from),
    modificationDate: new Date(),
    afRelationship: AFRelationship.Unspecified,
  });
  await document.flush();
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && isNamed(object, safe)) {
      object.set(PDFName.of("UF"), PDFHexString.fromText(file.name));
    }
  }
};

const isNamed = (dict: PDFDict, name: string): boolean => {
  const text = dict.lookup(PDFName.of("UF"));
  return (
    String(dict.lookup(PDFName.of("Type"))) === "/Filespec" &&
    text instanceof PDFHexString &&
    text.decodeText() === name
  );
};

/** The XML of an invoice is a few kilobytes; EXTENDED ones with images are some megabytes. */
const INVOICE_BYTES_MAX = 20_000_000;

/** The profile by what its identifier contains (Factur-X 1.0, 6.2), the most specific one first. */
const PROFILES = [
  ["minimum", "MINIMUM"],
  ["basicwl", "BASIC WL"],
  ["extended", "EXTENDED"],
  ["xrechnung", "XRECHNUNG"],
  ["basic", "BASIC"],
  ["en16931", "EN 16931"],
] as const;

/**
 * Makes the PDF a Factur-X invoice: PDF/A-3b with the XML as an alternative of the pages.
 *
 * @throws JobError `unsupported_feature` for an XML that is not such an invoice, or a PDF that cannot be PDF/A-3
 */
export const attachInvoice = async (document: PDFDocument, { optionFiles }: EngineTask): Promise<void> => {
  const file = optionFiles.facturx_upload_id;
  if (file === undefined) {
    return;
  }
  await checkInput(file.path, { max: INVOICE_BYTES_MAX, name: "invoice" });
  const xml = await readFile(file.path);
  const conformanceLevel = profileOf(xml.toString("utf8"));
  checkPdfA(document, "3b");
  await embedFacturX(document, xml, {
    conformanceLevel,
    modificationDate: new Date(),
    ...(conformanceLevel === "XRECHNUNG" && { fileName: "xrechnung.xml" }),
  });
};

const profileOf = (xml: string) => {
  const [, id = ""] =
    /GuidelineSpecifiedDocumentContextParameter>[\s\S]{0,200}?<(?:\w+:)?ID>([^<]{1,200})</.exec(xml) ?? [];
  const [, profile] = PROFILES.find(([part]) => id.toLowerCase().includes(part)) ?? [];
  if (profile === undefined || !/<(?:\w+:)?CrossIndustryInvoice[\s>]/.test(xml)) {
    const detail = `The XML of \`facturx_upload_id\` is not a Factur-X invoice: its profile is ${id === "" ? "missing" : `"${id}"`}.`;
    throw new JobError("unsupported_feature", detail, { isFinal: true });
  }
  return profile;
};
