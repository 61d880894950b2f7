import { JSON_COLUMNS_FLAT_MAX } from "../../domain/conversion-limits.ts";
import type { Warning } from "../../domain/jobs.ts";
import { isExactNumber, kindOf, nothingSeen, type Seen, see, seeText } from "./column-kinds.ts";
import { checkWidth } from "./csv-table.ts";
import { readElements, type Sequence, type Span } from "./json-elements.ts";
import { type Member, outlineOf } from "./json-outline.ts";
import { fieldsOf, fieldsOfChecked, textOfJson } from "./json-record.ts";
import type { Column, Value } from "./table.ts";
import type { BytesRead } from "./text-chunks.ts";

/** A part of a JSON text that is a table: its records follow each other. */
export interface JsonPart {
  /** The key that it has in the text; "" for all of it. */
  readonly name: string;
  readonly kind: Sequence;
  readonly span?: Span | undefined;
}

/** The tables of a JSON text, and what of it is in none of them. */
export interface JsonParts {
  readonly parts: readonly JsonPart[];
  readonly warnings: readonly Warning[];
}

/** Objects around a table, each of which holds nothing else. */
const WRAPPINGS_MAX = 4;

/**
 * Finds the tables of a JSON text in UTF-8: an array is one, values that follow each other are one, and so is each array
 * of objects that is a member of the outermost object. An object without such members is one record.
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
  // Beside tables an array of nothing is a table without rows.
  const tables = members.filter((member) => member.kind === "array" && (arrays.length > 1 || arrays.includes(member)));
  const others = members.filter((member) => !tables.includes(member)).map(({ key }) => key);
  const named = others.slice(0, KEYS_NAMED_MAX).join(", ").slice(0, 500);
  const detail = `The JSON has more than its tables, which is not in the result: ${named}${others.length > KEYS_NAMED_MAX ? ", …" : ""}.`;
  return {
    parts: tables.map(({ key, span }) => ({ name: key, kind: "array", span })),
    warnings: others.length === 0 ? [] : [{ code: "values_dropped", detail }],
  };
};

/** A table of a JSON text, of which is known what its columns hold. */
export interface JsonSurvey {
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether the fields of objects within are columns of their own. */
  readonly flat: boolean;
}

/**
 * Looks at every record of a part: its columns are all fields of all records, in the order in which they come up.
 *
 * @param flat whether the fields of objects within become columns, where they are not too many
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

/** @returns the records of a part that was surveyed, each a list of JSON texts in the order of the columns; undefined for a missing field */
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

/** @returns the value that a JSON text is in a table: a number that a double does not hold is a text */
export const valueOfJson = (json: string | undefined): Value => {
  if (json === undefined || json === "null") {
    return null;
  }
  if (json === "true" || json === "false") {
    return json === "true";
  }
  return isExactNumber(json) ? Number(json) : textOfJson(json);
};
