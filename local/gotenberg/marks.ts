import { GotenbergError, notOffered } from "./errors.ts";
import type { GotenbergForm } from "./form.ts";
import type { Stage } from "./stages.ts";
import { defined, invalid, json, required, text } from "./values.ts";

/** Watermarks, which are below the content, and stamps, which are above it, with the options of pdfcpu. */

/** Positions of pdfcpu. */
const POSITIONS: Readonly<Record<string, string>> = {
  c: "center",
  l: "left",
  r: "right",
  tl: "top_left",
  tc: "top",
  tr: "top_right",
  bl: "bottom_left",
  bc: "bottom",
  br: "bottom_right",
};

/** Width of the mark in percent of that of the page, and its angle from the lower left to the upper right. */
const DEFAULT_SIZE = 50;
const DIAGONAL = -45;

const LAYERS = { watermark: "below", stamp: "above" } as const;

type Kind = keyof typeof LAYERS;

/** Each mark is a conversion. */
const MARKS_MAX = 20;

/**
 * One change for each mark. The fields of several marks are repeated: the second value of each field belongs to the second mark.
 *
 * @returns no change if the form has no mark of this kind
 * @throws GotenbergError 400 for a wrong value, 501 for an option that has no equivalent
 */
export const markStages = (form: GotenbergForm, kind: Kind): Stage[] => {
  const valuesOf = (name: string) => form.repeated.get(`${kind}${name}`) ?? [];
  const sources = valuesOf("Source").filter((source) => source !== "");
  if (sources.length > MARKS_MAX) {
    throw notOffered(`More than ${MARKS_MAX} values of '${kind}Source'`);
  }
  let files = 0;
  return sources.map((source, index) => {
    const fields = new Map(
      ["Expression", "Pages", "Options"].map((name) => [`${kind}${name}`, valuesOf(name)[index] ?? ""]),
    );
    const mark = { fields: fields.set(`${kind}Source`, source), fileIndex: files };
    files += source === "text" ? 0 : 1;
    return markStage(form, kind, mark);
  });
};

/** A route that needs a mark. @throws GotenbergError 400, 501 */
export const requiredMarks = (form: GotenbergForm, kind: Kind): Stage[] => {
  required(form.fields, `${kind}Source`);
  return markStages(form, kind);
};

interface Mark {
  readonly fields: GotenbergForm["fields"];
  /** Which file a mark without the name of one has. */
  readonly fileIndex: number;
}

const markStage = (form: GotenbergForm, kind: Kind, { fields, fileIndex }: Mark): Stage => {
  const source = required(fields, `${kind}Source`);
  const common: Readonly<Record<string, unknown>> = {
    watermark_layer: LAYERS[kind],
    watermark_pages: text(fields, `${kind}Pages`),
    ...optionsOf(fields, `${kind}Options`),
  };
  if (source === "text") {
    return { options: defined({ watermark_text: required(fields, `${kind}Expression`), ...common }) };
  }
  if (source !== "image" && source !== "pdf") {
    throw invalid(`${kind}Source`, source);
  }
  const expression = text(fields, `${kind}Expression`);
  const own = form.assets[kind];
  const file = [...own, ...form.files].find(({ name }) => name === expression) ?? own[fileIndex];
  if (file === undefined) {
    throw new GotenbergError(400, `Invalid form data: form file '${expression?.slice(0, 100) ?? kind}' is required.`);
  }
  const { watermark_font_size, watermark_color, ...drawn } = common;
  return { options: defined(drawn), optionFiles: { watermark_upload_id: file } };
};

/** Names of pdfcpu, which accepts them shortened and in any case; the font is always Helvetica. */
const IGNORED: readonly string[] = ["font", "fontname"];

const optionsOf = (fields: GotenbergForm["fields"], field: string) => {
  const values = json(fields, field) ?? {};
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw invalid(field, required(fields, field));
  }
  const given = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  const known = new Set([...Object.keys(READERS), ...IGNORED]);
  const other = [...given.keys()].find((name) => !known.has(name));
  if (other !== undefined) {
    throw notOffered(`The option '${other.slice(0, 100)}' of '${field}'`);
  }
  const read = Object.entries(READERS).flatMap(([name, [option, reader]]) => {
    const value = given.has(name) ? reader(given.get(name)) : undefined;
    if (given.has(name) && value === undefined) {
      throw invalid(field, required(fields, field));
    }
    return value === undefined ? [] : [[option, value] as const];
  });
  const isPlaced = given.has("rotation") || given.has("rot");
  return {
    watermark_opacity: 1,
    watermark_size: DEFAULT_SIZE,
    ...(!isPlaced && { watermark_rotation: DIAGONAL }),
    ...Object.fromEntries(read),
  } as Record<string, unknown>;
};

const numberOf = (value: unknown): number | undefined =>
  String(value).trim() === "" || !Number.isFinite(Number(value)) ? undefined : Number(value);

/** Counterclockwise; ours is clockwise. */
const rotationOf = (value: unknown) => {
  const degrees = numberOf(value);
  return degrees === undefined ? undefined : -degrees;
};

/** `0.5`, `.5 rel`: of the width of the page. */
const sizeOf = (value: unknown) => {
  const [, share] = /^(\d*\.?\d+)(?:\s+rel)?$/.exec(String(value).trim()) ?? [];
  return share === undefined ? undefined : Math.min(100, 100 * Number(share));
};

/** `#rrggbb`, or three shares from 0 to 1. */
const colorOf = (value: unknown) => {
  const written = String(value).trim();
  const shares = written.split(/\s+/).map(Number);
  if (shares.length === 3 && shares.every((share) => share >= 0 && share <= 1)) {
    return `#${shares
      .map((share) =>
        Math.round(share * 255)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")}`;
  }
  return /^#[0-9a-f]{6}$/i.test(written) ? written : undefined;
};

const READERS: Readonly<Record<string, readonly [option: string, read: (value: unknown) => unknown]>> = {
  points: ["watermark_font_size", numberOf],
  color: ["watermark_color", colorOf],
  fillcolor: ["watermark_color", colorOf],
  rotation: ["watermark_rotation", rotationOf],
  rot: ["watermark_rotation", rotationOf],
  opacity: ["watermark_opacity", numberOf],
  scale: ["watermark_size", sizeOf],
  scalefactor: ["watermark_size", sizeOf],
  pos: ["watermark_position", (value) => POSITIONS[String(value)]],
  position: ["watermark_position", (value) => POSITIONS[String(value)]],
};
