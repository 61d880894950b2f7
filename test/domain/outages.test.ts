import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { outageOf, outages, unavailable } from "../../functions/domain/errors/resource-errors.ts";
import { JobError, RequestError } from "../../functions/domain/errors.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
};

const fullDevice = (): void => {
  const device = openSync("/dev/full", "w");
  try {
    writeSync(device, "more than there is room for");
  } finally {
    closeSync(device);
  }
};

/** An error with SQLite's result code, which Node returns as `errcode`. A test cannot provoke a disk failure. */
const sqliteError = (errcode: number): Error =>
  Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode });

describe("an outage", () => {
  it("is detected from the system's error for a full disk", () => {
    expect(outageOf(thrownBy(fullDevice))).toBe("disk_full");
  });

  it("is detected when a process has too many open files", () => {
    const domain = JSON.stringify(join(import.meta.dirname, "../../functions/domain/errors/resource-errors.ts"));
    const program = `
      import { openSync } from "node:fs";
      import { outageOf } from ${domain};
      try { for (;;) { openSync("/dev/null"); } } catch (error) { process.exitCode = outageOf(error) === "files_used_up" ? 7 : 8; }`;
    const shell = ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, program];
    expect(spawnSync("sh", shell).status).toBe(7);
  });

  it("is detected from SQLite's primary result code, whatever the extended one", () => {
    // SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_BUSY_SNAPSHOT, SQLITE_READONLY_DBMOVED, SQLITE_CANTOPEN_FULLPATH
    const codes = [778, 4874, 517, 1032, 782].map((code) => outageOf(sqliteError(code)));
    expect(codes).toEqual(["disk_failed", "disk_failed", "database_busy", "read_only", "disk_failed"]);
  });

  it("is detected from the cause of an error", () => {
    const cause = thrownBy(fullDevice);
    const error = unavailable(cause);
    expect(error?.cause).toBe(cause);
    expect(outageOf(error)).toBe("disk_full");
    expect(outageOf(new JobError("engine_failed", "It failed.", { cause }))).toBe("disk_full");
  });

  it("is not a programming error, a file error or a client error", async () => {
    const folder = temporaryFolder();
    const database = new DatabaseSync(join(folder.path, "a.db"));
    database.exec("CREATE TABLE a (b TEXT NOT NULL)");
    const mistakes = [
      thrownBy(() => database.prepare("INSERT INTO a VALUES (NULL)").run()),
      thrownBy(() => database.prepare("SELECT * FROM c")),
      thrownBy(() => readFileSync(join(folder.path, "nothing"))),
      thrownBy(() => JSON.parse("{")),
      new RequestError("temporarily_unavailable", "The queue is full."),
      new TypeError("A bug."),
      "text",
      undefined,
    ];
    expect(mistakes.map(outageOf)).toEqual(mistakes.map(() => undefined));
    expect(mistakes.map(unavailable)).toEqual(mistakes.map(() => undefined));
    database.close();
    await folder.remove();
  });

  it("is reported to the client with the time after which to retry", () => {
    const error = unavailable(thrownBy(fullDevice));
    const { retryAfterSeconds, detail } = outages.disk_full;
    expect(error).toMatchObject({
      code: "temporarily_unavailable",
      message: `${detail} Try again in ${retryAfterSeconds} s.`,
      extra: { headers: { "retry-after": String(retryAfterSeconds) } },
    });
  });
});
