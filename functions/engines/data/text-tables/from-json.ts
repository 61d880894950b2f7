import { join } from "node:path";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import { csvText } from "../csv/writer.ts";
import { readElements } from "../json/elements.ts";
import { compactJson } from "../json/layout.ts";
import { checkJson, textOfJson } from "../json/record.ts";
import { type JsonPart, jsonParts, readJsonRows, surveyJson } from "../json/tables.ts";
import { jsonText, linesText } from "../json/writer.ts";
import { partName } from "../tables/names.ts";
import { orBlankLine, writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";

/**
 * JSON and NDJSON to each other, record by record with the digits as written, and to CSV and TSV, where fields of
 * nested objects are separate columns (`address.city`) and an array is JSON in a cell. Each of several tables becomes a
 * part.
 */
export const fromJson = async (task: EngineTask): Promise<EngineResult> => {
  const { path, warnings } = await utf8File(task.input, task.folder, task.options.encoding);
  const { parts, ...found } = await jsonParts(path, task.from === "ndjson");
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    await writePart(task, path, { part: only, output: task.output });
    return { warnings: [...warnings, ...found.warnings] };
  }
  const made: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const output = join(task.folder, `part-${index + 1}`);
    await writePart(task, path, { part, output });
    made.push({ path: output, name: partName(part.name) });
  }
  return { warnings: [...warnings, ...found.warnings], parts: made };
};

interface PartPlace {
  readonly part: JsonPart;
  readonly output: string;
}

const writePart = async (task: EngineTask, path: string, { part, output }: PartPlace): Promise<void> => {
  if (task.to === "csv" || task.to === "tsv") {
    await writeText(output, cellsText(task, path, part));
    return;
  }
  const bytesRead = (bytes: number, ofBytes: number) => task.progress(bytes / ofBytes);
  const records = async function* (): AsyncGenerator<string[]> {
    for await (const texts of readElements(path, part.kind, { span: part.span, bytesRead })) {
      for (const text of texts) {
        checkJson(text);
      }
      yield texts.map(compactJson);
    }
  };
  const text = task.to === "ndjson" ? linesText({ records }) : jsonText([{ name: "", records }], task.options.indent);
  await writeText(output, orBlankLine(text));
};

const cellsText = async function* (task: EngineTask, path: string, part: JsonPart): AsyncGenerator<string> {
  const { to, options, progress } = task;
  const delimiter = to === "tsv" ? "\t" : (options.delimiter ?? DELIMITER);
  const half = (start: number) => (bytes: number, ofBytes: number) => progress(start + bytes / ofBytes / 2);
  const survey = await surveyJson(path, part, { bytesRead: half(0) });
  yield csvText([survey.columns.map(({ name }) => name)], delimiter);
  for await (const batch of readJsonRows(path, part, { ...survey, bytesRead: half(0.5) })) {
    yield csvText(
      batch.map((row) => row.map((json) => (json === undefined ? null : textOfJson(json)))),
      delimiter,
    );
  }
};
