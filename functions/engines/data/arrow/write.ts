import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { DuckDBType } from "@duckdb/node-api";
import { Field, Message, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from "apache-arrow";
import { type Chunk, literal, quoted, type Session } from "../duckdb/session.ts";
import { arrowTypeOf } from "./types.ts";
import { columnOf } from "./vectors.ts";

/** Rows of a record batch, as pandas writes. */
const BATCH_ROWS = 65_536;

/**
 * Converts a Parquet file to an Arrow file, without compression, so that every reader can open and map it.
 *
 * @returns the number of rows
 */
export const parquetToArrow = async (session: Session, input: string, output: string): Promise<number> => {
  const source = `read_parquet(${literal(input)})`;
  const described = await session.rows(`DESCRIBE SELECT * FROM ${source}`);
  const select = described.map(([name, type]) => {
    const [column, own] = [quoted(String(name)), String(type)];
    const stored = storable(own);
    return stored === own ? column : `${column}::${stored} AS ${column}`;
  });
  const names = described.map(([name]) => String(name));
  const writer = new CompleteFileWriter();
  const written = pipeline(writer, createWriteStream(output, { flags: "wx" }));
  const [rows] = await Promise.all([
    fill(writer, session.chunks(`SELECT ${select.join(", ")} FROM ${source}`), names),
    written,
  ]);
  return rows;
};

/**
 * The library leaves out the schema message before the record batches, which readers of streams need: a file is a stream
 * between two signatures (Arrow Columnar Format, "IPC File Format").
 */
class CompleteFileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema);
    return this._writeMessage(Message.from(schema));
  }
}

/** Types that JavaScript's Arrow library has no type for, alone or within others, become text. */
const storable = (type: string): string =>
  type
    .replaceAll(/\b(?:U?HUGEINT|UUID|INTERVAL|BIT|TIME WITH TIME ZONE|JSON|ENUM\([^)]*\))/g, "VARCHAR")
    .replaceAll(/\bTIMESTAMP_M?S\b/g, "TIMESTAMP");

const fill = async (
  writer: RecordBatchFileWriter,
  chunks: AsyncIterable<Chunk>,
  names: readonly string[],
): Promise<number> => {
  let rows = 0;
  let held: Chunk[] = [];
  let heldRows = 0;
  const flush = (): void => {
    if (held.length > 0) {
      writer.write(batchOf(held, names));
    }
    [held, heldRows] = [[], 0];
  };
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      rows += chunk.rows;
      heldRows += chunk.rows;
      if (heldRows >= BATCH_ROWS) {
        flush();
      }
    }
    flush();
    writer.finish();
    return rows;
  } catch (error) {
    writer.abort(error);
    throw error;
  }
};

const batchOf = (chunks: readonly Chunk[], names: readonly string[]): RecordBatch => {
  const types: readonly DuckDBType[] = chunks[0]?.types ?? [];
  const length = chunks.reduce((sum, { rows }) => sum + rows, 0);
  const fields = types.map((type, index) => new Field(names[index] ?? "", arrowTypeOf(type), true));
  const children = fields.map((field, index) =>
    columnOf(
      field.type,
      chunks.flatMap(({ columns }) => columns[index] ?? []),
    ),
  );
  const type = new Struct(fields);
  return new RecordBatch(new Schema(fields), makeData({ type, length, nullCount: 0, children }));
};
