import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { JobError } from "../domain/errors.ts";
import type { Warning } from "../domain/jobs.ts";
import { eventFields, readIcs, writeIcs } from "./calendar/ics.ts";
import { type CalendarRecord, csvOf, readers, valuesOf } from "./calendar/records.ts";
import { personFields, readVcf, writeVcf } from "./calendar/vcf.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { readText } from "./io/text.ts";

/** Calendars (iCalendar) and contacts (vCard) as tables and as JSON, and back. */
export const calendarEngine: Engine = {
  name: "calendar",
  version: async () => createRequire(import.meta.url)("csv-parse/package.json").version,
  convert: async (task) => {
    const { text } = await readText(task.input, task.options.encoding);
    const records = recordsIn(task, text);
    if (records.length === 0) {
      throw new JobError("source_corrupt", "There is no entry in the file.");
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
    : `${JSON.stringify(records, undefined, options.indent ?? 2)}\n`;
};

const NAMES_SHOWN_MAX = 10;

/** What has no column of its own. */
const leftOut = (records: readonly CalendarRecord[]): Warning[] => {
  const names = new Set(records.flatMap((record) => valuesOf(record, "other")).map((line) => line.split(/[:;]/, 1)[0]));
  for (const name of ["DTSTAMP", "SEQUENCE", "PRODID", "REV"]) {
    names.delete(name);
  }
  const shown = [...names].slice(0, NAMES_SHOWN_MAX).join(", ");
  const detail = `A table has no columns for these properties: ${shown}. JSON keeps them.`;
  return names.size === 0 ? [] : [{ code: "properties_dropped", detail }];
};
