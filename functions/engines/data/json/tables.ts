import { JSON_COLUMNS_FLAT_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Warning } from "../../../domain/warning.ts";
import { checkWidth } from "../csv/table.ts";
import { isExactNumber, kindOf, nothingSeen, type Seen, see, seeText } from "../tables/column-kinds.ts";
import type { Column, Value } from "../tables/table.ts";
import type { BytesRead } from "../text/chunks.ts";
import { readElements, type Sequence, type Span } from "./elements.ts";
import { type Member, outlineOf } from "./outline.ts";
import { fieldsOf, fieldsOfChecked, textOfJson } from "./record.ts";

/** A part of a JSON text that is a table: a list of records. */
export interface JsonPart {
  /** Its key in the text; "" for the entire text. */
  readonly name: string;
  readonly kind: Sequence;
  readonly span?: Span | undefined;
}

/** The tables of a JSON text, and warnings about content outside of them. */
export interface JsonParts {
  readonly parts: readonly JsonPart[];
  readonly warnings: readonly Warning[];
}

/** Maximum objects around a table, each with no other members. */
const WRAPPINGS_MAX = 4;

/**
 * Finds the tables of a UTF-8 JSON text. A table is an array, a sequence of values, or an array of objects that is a
 * member of the outermost object. An object without such members is one record.
 *
 * @param lines whether the text is NDJSON
 */
export const jsonParts = async (path: string, lines: boolean): Promise<JsonParts> => {
  let span: Span | undefined;
  let name = "";
  for (let depth = 0; !lines && depth < WRAPPINGS_MAX; depth += 1) {
    const outline = await outlineOf(path, span);
    if (outline.kind !== "object") {
      return { parts: [{ name, kind: outline.kind, span }], warnings: [] };
    }
    const arrays = outline.members.filter(({ ofObjects }) => ofObjects);
    if (arrays.length > 0) {
      return partsOf(outline.members, arrays);
    }
    const [only] = outline.members;
    if (only === undefined || outline.members.length > 1 || only.kind !== "object") {
      return { parts: [{ name, kind: "sequence", span }], warnings: [] };
    }
    [span, name] = [only.span, only.key];
  }
  return { parts: [{ name, kind: "sequence", span }], warnings: [] };
};

const KEYS_NAMED_MAX = 10;

const partsOf = (members: readonly Member[], arrays: readonly Member[]): JsonParts => {
  // When there are several tables, an empty array is a table without rows.
  const tables = members.filter((member) => member.kind === "array" && (arrays.length > 1 || arrays.includes(member)));
  const others = members.filter((member) => !tables.includes(member)).map(({ key }) => key);
  const named = others.slice(0, KEYS_NAMED_MAX).join(", ").slice(0, 500);
  const detail = `The JSON has values outside of its tables, which were left out: ${named}${others.length > KEYS_NAMED_MAX ? ", …" : ""}.`;
  return {
    parts: tables.map(({ key, span }) => ({ name: key, kind: "array", span })),
    warnings: others.length === 0 ? [] : [{ code: "values_dropped", detail }],
  };
};

/** A table of a JSON text after all of its values have been examined. */
export interface JsonSurvey {
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether the fields of nested objects are separate columns. */
  readonly flat: boolean;
}

/**
 * Examines every record of a part. The columns are all fields of all records, in order of first appearance.
 *
 * @param flat whether the fields of nested objects become columns, unless there are too many
 * @throws JobError `source_corrupt`, `output_too_large` for too many columns
 */
export const surveyJson = async (
  path: string,
  part: JsonPart,
  { flat = true, bytesRead }: { flat?: boolean; bytesRead?: BytesRead | undefined } = {},
): Promise<JsonSurvey> => {
  const found = flat ? await surveyed(path, part, { flat, columnsMax: JSON_COLUMNS_FLAT_MAX, bytesRead }) : undefined;
  return found ?? surveyed(path, part, { flat: false, columnsMax: Number.POSITIVE_INFINITY, bytesRead }).then(wide);
};

const wide = (survey: JsonSurvey | undefined): JsonSurvey => {
  const known = survey ?? { columns: [], rows: 0, flat: false };
  checkWidth(known.columns.length);
  return known;
};

const surveyed = async (
  path: string,
  part: JsonPart,
  { flat, columnsMax, bytesRead }: { flat: boolean; columnsMax: number; bytesRead?: BytesRead | undefined },
): Promise<JsonSurvey | undefined> => {
  const seen = new Map<string, Seen>();
  let rows = 0;
  for await (const texts of readElements(path, part.kind, { span: part.span, bytesRead })) {
    for (const text of texts) {
      rows += 1;
      for (const [name, json] of fieldsOf(text, flat)) {
        const column = seen.get(name) ?? nothingSeen();
        seen.set(name, column);
        seeJson(column, json);
      }
    }
    if (seen.size > columnsMax) {
      return undefined;
    }
  }
  const columns = [...seen].map(([name, column]) => ({ name, kind: kindOf(column), coded: column.codes > 0 }));
  return { columns, rows, flat };
};

const seeJson = (seen: Seen, json: string): void => {
  if (json.startsWith('"') || json.startsWith("{") || json.startsWith("[")) {
    seeText(seen, textOfJson(json) ?? "");
  } else if (json !== "null") {
    see(seen, json);
  }
};

/**
 * @returns the records of a part that was surveyed, each a list of JSON texts in column order; undefined for a missing
 * field
 */
export const readJsonRows = async function* (
  path: string,
  part: JsonPart,
  { columns, flat, bytesRead }: Pick<JsonSurvey, "columns" | "flat"> & { bytesRead?: BytesRead | undefined },
): AsyncGenerator<(string | undefined)[][]> {
  for await (const texts of readElements(path, part.kind, { span: part.span, bytesRead })) {
    yield texts.map((text) => {
      const fields = fieldsOfChecked(text, flat);
      return columns.map(({ name }) => fields.get(name));
    });
  }
};

/** @returns the value of a JSON text in a table: a number that a double cannot represent is a text */
export const valueOfJson = (json: string | undefined): Value => {
  if (json === undefined || json === "null") {
    return null;
  }
  if (json === "true" || json === "false") {
    return json === "true";
  }
  return isExactNumber(json) ? Number(json) : textOfJson(json);
};
