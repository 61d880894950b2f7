import { writeFile } from "node:fs/promises";
import { INDENT } from "../../domain/conversions/options/tables.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { readText } from "../data/text/text.ts";
import { eventFields, readIcs, writeIcs } from "./calendar/ics.ts";
import { type CalendarRecord, csvOf, jsonOf, readers, valuesOf } from "./calendar/records.ts";
import { personFields, readVcf, writeVcf } from "./calendar/vcf.ts";

/** Calendars (iCalendar) and contacts (vCard) to tables and JSON, and back. */
export const calendarEngine: Engine = {
  name: "calendar",
  version: async () => process.version,
  convert: async (task) => {
    const { text } = await readText(task.input, task.options.encoding);
    const records = recordsIn(task, text);
    if (records.length === 0) {
      throw new JobError("source_corrupt", "The file has no entries.");
    }
    await writeFile(task.output, written(task, records));
    return { warnings: task.to === "csv" ? leftOut(records) : [] };
  },
};

const recordsIn = ({ from, options }: EngineTask, text: string): readonly CalendarRecord[] => {
  if (from === "ics" || from === "vcf") {
    return from === "ics" ? readIcs(text) : readVcf(text);
  }
  return readers[from]?.(text, options.delimiter) ?? [];
};

const written = ({ from, to, options }: EngineTask, records: readonly CalendarRecord[]): string => {
  if (to === "ics" || to === "vcf") {
    return to === "ics" ? writeIcs(records) : writeVcf(records);
  }
  return to === "csv"
    ? csvOf(records, from === "ics" ? eventFields : personFields, options.delimiter)
    : jsonOf(records, options.indent ?? INDENT);
};

const NAMES_SHOWN_MAX = 10;

/** Properties without a separate column. */
const leftOut = (records: readonly CalendarRecord[]): Warning[] => {
  const names = new Set(records.flatMap((record) => valuesOf(record, "other")).map((line) => line.split(/[:;]/, 1)[0]));
  for (const name of ["DTSTAMP", "SEQUENCE", "PRODID", "REV"]) {
    names.delete(name);
  }
  const shown = [...names].slice(0, NAMES_SHOWN_MAX).join(", ");
  const detail = `A table has no columns for these properties: ${shown}. Convert to JSON to keep them.`;
  return names.size === 0 ? [] : [{ code: "properties_dropped", detail }];
};
