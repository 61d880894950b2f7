import { open } from "node:fs/promises";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { csvText } from "../csv/writer.ts";
import { jsonText, objectOf } from "../json/writer.ts";
import { isExactNumber } from "../tables/column-kinds.ts";
import { columnNames } from "../tables/names.ts";
import { readChunks, writeText } from "../text/chunks.ts";
import { encodingOf } from "../text/text.ts";
import { type DbfHeader, readDbfHeader } from "./dbf-header.ts";
import { type Decode, decoderOf, encodingOfLanguage, textOfDbf } from "./dbf-values.ts";

/** DBF (dBase III to V, FoxPro) to CSV and JSON, without the rows that are marked as deleted. */
export const fromDbf = async (task: EngineTask): Promise<EngineResult> => {
  const { input, output, to, options } = task;
  const header = readDbfHeader(await headOf(input));
  const decode = await decoderFor(input, header, options.encoding);
  const found = { deleted: 0, rows: 0 };
  const rows = readRows(input, header, { decode, found });
  const names = columnNames(header.fields.map(({ name }) => decode(Buffer.from(name, "latin1"))));
  await writeText(
    output,
    to === "json" ? jsonOf(names, header, rows, options.indent) : csvOf(names, rows, options.delimiter),
  );
  return { warnings: warningsOf(header, found) };
};

type Rows = AsyncIterable<(string | null)[][]>;

const csvOf = async function* (
  names: readonly string[],
  rows: Rows,
  delimiter: string = DELIMITER,
): AsyncGenerator<string> {
  yield csvText([names], delimiter);
  for await (const batch of rows) {
    yield csvText(batch, delimiter);
  }
};

const LITERALS = "NFLIBY+";

const jsonOf = (
  names: readonly string[],
  { fields }: DbfHeader,
  rows: Rows,
  indent?: number,
): AsyncIterable<string> => {
  const keys = names.map((name) => JSON.stringify(name));
  const value = (text: string | null, type = "C"): string => {
    const literal = text !== null && (type === "L" || (LITERALS.includes(type) && isExactNumber(text)));
    return literal ? text : JSON.stringify(text);
  };
  const records = async function* (): AsyncGenerator<string[]> {
    for await (const batch of rows) {
      yield batch.map((row) =>
        objectOf(
          keys,
          row.map((text, index) => value(text, fields[index]?.type)),
        ),
      );
    }
  };
  return jsonText([{ name: "", records }], indent);
};

/** The largest header size that its two bytes allow. */
const HEADER_BYTES_MAX = 65_535;

const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

const GUESSED_BYTES = 65_536;

/** @returns the decoder of its texts: by the specified encoding, its language driver, or detection */
const decoderFor = async (path: string, header: DbfHeader, given?: string): Promise<Decode> => {
  const encoding = given ?? encodingOfLanguage(header.language);
  if (encoding !== undefined) {
    try {
      return decoderOf(encoding);
    } catch {
      throw new JobError("unsupported_feature", `Unknown encoding: ${encoding}.`);
    }
  }
  for await (const chunk of readChunks(path, { start: header.headerBytes })) {
    const records = chunk.subarray(0, GUESSED_BYTES);
    return decoderOf(encodingOf(textsOf(records, header)));
  }
  return decoderOf("windows-1252");
};

const textsOf = (records: Buffer, { fields, recordBytes }: DbfHeader): Buffer => {
  const texts: Buffer[] = [];
  for (let at = 0; at + recordBytes <= records.length; at += recordBytes) {
    for (const field of fields.filter(({ type }) => type === "C")) {
      texts.push(records.subarray(at + field.at, at + field.at + field.length), Buffer.from("\n"));
    }
  }
  return Buffer.concat(texts);
};

const DELETED = 0x2a;
const FILE_END = 0x1a;

const readRows = async function* (
  path: string,
  header: DbfHeader,
  { decode, found }: { decode: Decode; found: { deleted: number; rows: number } },
): AsyncGenerator<(string | null)[][]> {
  const { fields, recordBytes, headerBytes, records, foxpro } = header;
  let rest = Buffer.alloc(0);
  for await (const chunk of readChunks(path, { start: headerBytes })) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const batch: (string | null)[][] = [];
    let at = 0;
    for (; at + recordBytes <= bytes.length && found.rows < records && bytes[at] !== FILE_END; at += recordBytes) {
      found.rows += 1;
      if (bytes[at] === DELETED) {
        found.deleted += 1;
        continue;
      }
      const record = bytes.subarray(at, at + recordBytes);
      batch.push(
        fields.map(({ at: start, length, type }) =>
          type === "B" && !foxpro ? null : textOfDbf(record.subarray(start, start + length), type, decode),
        ),
      );
    }
    yield batch;
    rest = Buffer.from(bytes.subarray(at));
  }
  if (found.rows < records) {
    throw new JobError(
      "source_corrupt",
      `The DBF has ${records} rows according to its header, but is truncated after ${found.rows}.`,
    );
  }
};

const warningsOf = ({ fields, foxpro }: DbfHeader, { deleted }: { deleted: number }): Warning[] => {
  const memos = fields.filter(({ type }) => "MGPQW".includes(type) || (type === "B" && !foxpro));
  return [
    ...(deleted === 0
      ? []
      : [
          {
            code: "deleted_rows_dropped",
            detail: `Rows marked as deleted were left out: ${deleted}.`,
          },
        ]),
    ...(memos.length === 0
      ? []
      : [
          {
            code: "memos_dropped",
            detail: `Columns whose values are in a separate memo file were left out: ${memos.map(({ name }) => name).join(", ")}.`,
          },
        ]),
  ];
};
