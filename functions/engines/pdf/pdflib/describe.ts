import { writeFile } from "node:fs/promises";
import {
  PDFCheckBox,
  PDFDict,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFHexString,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFString,
  PDFTextField,
} from "@cantoo/pdf-lib";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { frameOf } from "../edit/frame.ts";
import { openBook } from "./book.ts";
import { readBookmarks } from "./outline.ts";

/** Writes what a PDF contains in addition to its pages, as JSON. The names are those of the options that set it. */
export const describePdf = async (task: EngineTask): Promise<EngineResult> => {
  const document = await openBook(task.input, task.options.password);
  const description = {
    page_count: document.getPageCount(),
    pages: document.getPages().map((page) => {
      const { width, height } = frameOf(page);
      return { width: rounded(width), height: rounded(height), rotation: page.getRotation().angle };
    }),
    metadata: metadataOf(document),
    bookmarks: readBookmarks(document),
    form_fields: fieldsOf(document),
  };
  await writeFile(task.output, `${JSON.stringify(description, undefined, 2)}\n`, { flag: "wx" });
  return { warnings: [] };
};

/** Points, to a hundredth. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const KEYS = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"] as const;
const NAMES: Readonly<Record<(typeof KEYS)[number], string>> = {
  Title: "title",
  Author: "author",
  Subject: "subject",
  Keywords: "keywords",
  Creator: "creator",
  Producer: "producer",
  CreationDate: "created_at",
  ModDate: "modified_at",
};

/** @returns the information dictionary; properties that it does not have are null */
const metadataOf = (document: PDFDocument): Readonly<Record<string, string | null>> =>
  Object.fromEntries(KEYS.map((key) => [NAMES[key], valueAt(document, key)]));

const valueAt = ({ context }: PDFDocument, key: string): string | null => {
  const information = context.lookup(context.trailerInfo.Info);
  const value = information instanceof PDFDict ? information.lookup(PDFName.of(key)) : undefined;
  if (!(value instanceof PDFString || value instanceof PDFHexString)) {
    return null;
  }
  return key.endsWith("Date") ? dateOf(value) : value.decodeText();
};

/** @returns an ISO date; null if the value is not a date */
const dateOf = (value: PDFHexString | PDFString): string | null => {
  try {
    return value.decodeDate().toISOString();
  } catch {
    return null;
  }
};

interface FieldView {
  readonly name: string;
  readonly type: "button" | "checkbox" | "choice" | "radio" | "text";
  readonly value: boolean | string | readonly string[] | null;
  readonly choices?: readonly string[];
  readonly read_only: boolean;
  readonly required: boolean;
}

const fieldsOf = (document: PDFDocument): FieldView[] =>
  document.catalog.has(PDFName.of("AcroForm")) ? document.getForm().getFields().map(viewOf) : [];

const viewOf = (field: PDFField): FieldView => ({
  name: field.getName(),
  ...contentOf(field),
  read_only: field.isReadOnly(),
  required: field.isRequired(),
});

const contentOf = (field: PDFField): Pick<FieldView, "choices" | "type" | "value"> => {
  if (field instanceof PDFTextField) {
    return { type: "text", value: field.getText() ?? null };
  }
  if (field instanceof PDFCheckBox) {
    return { type: "checkbox", value: field.isChecked() };
  }
  if (field instanceof PDFRadioGroup) {
    return { type: "radio", value: field.getSelected() ?? null, choices: field.getOptions() };
  }
  return field instanceof PDFDropdown || field instanceof PDFOptionList
    ? { type: "choice", value: field.getSelected(), choices: field.getOptions() }
    : { type: "button", value: null };
};
