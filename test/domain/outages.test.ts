import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { JobError, RequestError } from "../../functions/domain/errors.ts";
import { outageOf, outages, unavailable } from "../../functions/domain/resource-errors.ts";
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

/** What SQLite gives on as its result, and Node as `errcode`; a broken disk is nothing that a test has. */
const sqliteError = (errcode: number): Error =>
  Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode });

describe("an outage", () => {
  it("is told from what the system says of a full disk", () => {
    expect(outageOf(thrownBy(fullDevice))).toBe("disk_full");
  });

  it("is told when a process has opened as many files as it may", () => {
    const domain = JSON.stringify(join(import.meta.dirname, "../../functions/domain/resource-errors.ts"));
    const program = `
      import { openSync } from "node:fs";
      import { outageOf } from ${domain};
      try { for (;;) { openSync("/dev/null"); } } catch (error) { process.exitCode = outageOf(error) === "files_used_up" ? 7 : 8; }`;
    const shell = ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, program];
    expect(spawnSync("sh", shell).status).toBe(7);
  });

  it("is told from SQLite's primary result, whatever the extended one says", () => {
    // SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_BUSY_SNAPSHOT, SQLITE_READONLY_DBMOVED, SQLITE_CANTOPEN_FULLPATH
    const codes = [778, 4874, 517, 1032, 782].map((code) => outageOf(sqliteError(code)));
    expect(codes).toEqual(["disk_failed", "disk_failed", "database_busy", "read_only", "disk_failed"]);
  });

  it("is told from the error that caused another", () => {
    const cause = thrownBy(fullDevice);
    const told = unavailable(cause);
    expect(told?.cause).toBe(cause);
    expect(outageOf(told)).toBe("disk_full");
    expect(outageOf(new JobError("engine_failed", "It failed.", { cause }))).toBe("disk_full");
  });

  it("is no mistake of ours, of the file or of the client", async () => {
    const folder = temporaryFolder();
    const database = new DatabaseSync(join(folder.path, "a.db"));
    database.exec("CREATE TABLE a (b TEXT NOT NULL)");
    const mistakes = [
      thrownBy(() => database.prepare("INSERT INTO a VALUES (NULL)").run()),
      thrownBy(() => database.prepare("SELECT * FROM c")),
      thrownBy(() => readFileSync(join(folder.path, "nothing"))),
      thrownBy(() => JSON.parse("{")),
      new RequestError("temporarily_unavailable", "The queue is full."),
      new TypeError("A mistake."),
      "text",
      undefined,
    ];
    expect(mistakes.map(outageOf)).toEqual(mistakes.map(() => undefined));
    expect(mistakes.map(unavailable)).toEqual(mistakes.map(() => undefined));
    database.close();
    await folder.remove();
  });

  it("is told to the client with the time after which it is worth asking again", () => {
    const told = unavailable(thrownBy(fullDevice));
    const { retryAfterSeconds, detail } = outages.disk_full;
    expect(told).toMatchObject({
      code: "temporarily_unavailable",
      message: `${detail} Try again in ${retryAfterSeconds} s.`,
      extra: { headers: { "retry-after": String(retryAfterSeconds) } },
    });
  });
});
