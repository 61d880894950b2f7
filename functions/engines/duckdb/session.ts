import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { JobError } from "../../domain/errors.ts";
import type { EngineTask } from "../engine.ts";

/** A database in memory that can reach the files of one step, and nothing else. */
export interface Session {
  /** @returns the rows that a statement gives, or how many it copied, as its first value */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Runs a statement that copies, and tells how far it is. @returns how many rows it copied */
  copy(sql: string, progress: (share: number) => void): Promise<number>;
}

/** More than 128 MB are needed for large files; with 512 a process holds under 500 MB, as measured. */
const MEMORY_LIMIT = "512MB";
const THREADS = 2;
const PROGRESS_MS = 200;

/** @throws JobError `out_of_memory` when DuckDB runs out of it */
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
      ? new JobError("out_of_memory", "The table needs more memory than there is.", { cause: error })
      : error;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

/** From here on it opens no other file, loads nothing, and cannot be talked out of it. */
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

/** @returns a text as SQL has it */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** @returns a name as SQL has it */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
