import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, type DuckDBValue } from "@duckdb/node-api";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";

/** Rows of a query, by column. */
export interface Chunk {
  readonly types: readonly DuckDBType[];
  readonly rows: number;
  readonly columns: readonly (readonly DuckDBValue[])[];
}

/** An in-memory database that can access the files of one step, and nothing else. */
export interface Session {
  /** @returns the rows of a statement, or, as the first value, the number of rows it copied */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Returns the rows of a query in chunks of a few thousand: the values of each column. */
  chunks(sql: string): AsyncGenerator<Chunk>;
  /** Runs a COPY statement and reports progress. @returns the number of rows it copied */
  copy(sql: string, progress: (share: number) => void): Promise<number>;
}

/** Large files need more than 128 MB; with 512 MB, the process stays below 500 MB, as measured. */
const MEMORY_LIMIT = "512MB";
const THREADS = 2;
const PROGRESS_MS = 200;

/** @throws JobError `out_of_memory` when DuckDB runs out of memory */
export const withSession = async <T>(
  { input, output, folder }: Pick<EngineTask, "input" | "output" | "folder">,
  use: (session: Session) => Promise<T>,
): Promise<T> => {
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(THREADS),
    memory_limit: MEMORY_LIMIT,
    temp_directory: join(folder, "duckdb"),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  try {
    await lock(connection, { paths: [input, output], folder });
    return await use(sessionOf(connection));
  } catch (error) {
    throw error instanceof Error && /^Out of Memory Error/.test(error.message)
      ? new JobError("out_of_memory", "The table needs more memory than is available.", { cause: error })
      : error;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

/** From here on, it cannot open other files or load extensions, and the configuration is locked. */
const lock = async (
  connection: DuckDBConnection,
  { paths, folder }: { paths: readonly string[]; folder: string },
): Promise<void> => {
  for (const statement of [
    "SET TimeZone = 'UTC'",
    "SET enable_progress_bar = true",
    "SET enable_progress_bar_print = false",
    `SET allowed_directories = [${literal(`${folder}/`)}]`,
    `SET allowed_paths = [${paths.map(literal).join(", ")}]`,
    "SET enable_external_access = false",
    "SET lock_configuration = true",
  ]) {
    await connection.run(statement);
  }
};

const sessionOf = (connection: DuckDBConnection): Session => {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  return {
    rows,
    chunks: async function* (sql) {
      const result = await connection.stream(sql);
      const types = result.columnTypes();
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      ) {
        yield { types, rows: chunk.rowCount, columns: chunk.getColumns() };
      }
    },
    copy: async (sql, progress) => {
      const timer = setInterval(() => progress(Math.max(0, connection.progress.percentage) / 100), PROGRESS_MS);
      try {
        return Number((await rows(sql))[0]?.[0] ?? 0);
      } finally {
        clearInterval(timer);
      }
    },
  };
};

/** @returns a text as an SQL literal */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** @returns a name as an SQL identifier */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
