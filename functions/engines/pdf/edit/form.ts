import {
  PDFCheckBox,
  PDFDict,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFForm,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { isCovered } from "./stamp.ts";

type Value = NonNullable<Options["form_data"]>[string];

/**
 * Fills the fields of a form.
 *
 * @returns a warning if a part of the form, or the appearance of a value, is lost
 * @throws JobError `unsupported_feature` for a field or a choice that the form does not have
 */
export const fillForm = async (document: PDFDocument, { options }: EngineTask): Promise<Warning[]> => {
  const warnings = xfaWarning(document);
  const form = document.getForm();
  const filled = Object.entries(options.form_data ?? {}).map(([name, value]) => {
    const field = fieldNamed(form, name);
    fill(field, value);
    return field;
  });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const strange = filled.filter((field) => !isCovered(font, shownText(field)));
  if (strange.length > 0 && options.flatten === true) {
    const names = listed(strange.map((field) => field.getName()));
    throw refusal(`Values outside of Western European scripts cannot be flattened: ${names}.`);
  }
  for (const field of filled.filter((one) => !strange.includes(one))) {
    field.defaultUpdateAppearances(font);
  }
  if (strange.length > 0) {
    form.acroForm.dict.set(PDFName.of("NeedAppearances"), document.context.obj(true));
    const detail = `Values outside of Western European scripts are only shown by viewers that draw fields: ${strange.length}.`;
    warnings.push({ code: "form_appearance_missing", detail });
  }
  return warnings;
};

/** Adobe's XML description of a form replaces the fields in viewers that support it, so pdf-lib removes it. */
const xfaWarning = ({ catalog }: PDFDocument): Warning[] => {
  const form = catalog.lookup(PDFName.of("AcroForm"));
  const detail = "The XFA description of the form was removed; its fields were filled.";
  return form instanceof PDFDict && form.has(PDFName.of("XFA")) ? [{ code: "xfa_dropped", detail }] : [];
};

const fieldNamed = (form: PDFForm, name: string): PDFField => {
  const field = form.getFieldMaybe(name);
  if (field === undefined) {
    const names = form.getFields().map((one) => one.getName());
    throw refusal(`The form has no field "${name.slice(0, 100)}". Its fields: ${listed(names) || "none"}.`);
  }
  return field;
};

const fill = (field: PDFField, value: Value): void => {
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  if (field instanceof PDFTextField) {
    field.setText(texts.join("\n"));
  } else if (field instanceof PDFCheckBox) {
    const isOn = value === true || (typeof value === "string" && !/^(?:|off|no|false|0)$/i.test(value));
    (isOn ? () => field.check() : () => field.uncheck())();
  } else if (field instanceof PDFRadioGroup) {
    checkChoice(field, texts, field.getOptions());
    field.select(texts[0] ?? "");
  } else if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
    checkChoice(field, texts, field.getOptions());
    field.select(texts);
  } else {
    throw refusal(`The field "${field.getName()}" cannot be filled: it is a button or a signature.`);
  }
};

const checkChoice = (field: PDFField, texts: readonly string[], choices: readonly string[]): void => {
  const strange = texts.find((text) => !choices.includes(text));
  if (strange !== undefined) {
    const name = field.getName();
    throw refusal(`The field "${name}" has no choice "${strange.slice(0, 100)}". Its choices: ${listed(choices)}.`);
  }
};

/** @returns the text that the appearance of a field shows */
const shownText = (field: PDFField): string => {
  if (field instanceof PDFTextField) {
    return (field.getText() ?? "").replaceAll(/\s/g, " ");
  }
  return field instanceof PDFDropdown || field instanceof PDFOptionList ? field.getSelected().join(" ") : "";
};

const NAMES_MAX = 20;

const listed = (names: readonly string[]): string =>
  `${names.slice(0, NAMES_MAX).join(", ")}${names.length > NAMES_MAX ? ", …" : ""}`;

const refusal = (detail: string): JobError => new JobError("unsupported_feature", detail, { isFinal: true });
