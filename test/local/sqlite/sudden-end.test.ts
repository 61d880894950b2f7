import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { monthOf } from "../../../functions/domain/accounts/quotas.ts";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { folderFiles } from "../../../local/files/folder-files.ts";
import { lockFolder } from "../../../local/files/folder-lock.ts";
import { removeOrphans } from "../../../local/retention/retention.ts";
import { openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteQueue } from "../../../local/sqlite/queue.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

const WRITER = join(import.meta.dirname, "../../support/writer.ts");

/** The writes that were acknowledged before the process was killed. */
interface Acknowledged {
  readonly uploads: ReadonlyMap<string, string>;
  readonly jobs: ReadonlyMap<string, string>;
  readonly finished: readonly string[];
}

describe("the data folder of a process that is killed during its writes", () => {
  let folder: TemporaryFolder;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await folder.remove();
  });

  /** Starts the writer, and kills it after the given number of lines. */
  const writeAndKill = async (accountId: string, lines: number): Promise<Acknowledged> => {
    const writer = spawn(process.execPath, [WRITER, folder.path, accountId], { stdio: ["ignore", "pipe", "inherit"] });
    child = writer;
    const said: Record<string, Map<string, string>> = { upload: new Map(), job: new Map(), finished: new Map() };
    let left = lines;
    for await (const line of createInterface({ input: writer.stdout })) {
      const [what = "", id = "", detail = ""] = line.split(" ");
      said[what]?.set(id, detail);
      left -= 1;
      if (left === 0) {
        writer.kill("SIGKILL");
      }
    }
    return {
      uploads: said.upload ?? new Map(),
      jobs: said.job ?? new Map(),
      finished: [...(said.finished?.keys() ?? [])],
    };
  };

  const open = () => {
    const database = openDatabase(folder.path);
    const files = folderFiles({
      folder: join(folder.path, "files"),
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => NOW,
    });
    return { database, files, uploads: sqliteUploads(database), jobs: sqliteJobs(database) };
  };

  it("loses no acknowledged writes, and has exact counts", async () => {
    const { id: accountId } = accountRecord();
    for (const lines of [40, 151, 222]) {
      const acknowledged = await writeAndKill(accountId, lines);
      const { database, files, uploads, jobs } = open();
      expect(acknowledged.uploads.size + acknowledged.jobs.size).toBeGreaterThan(lines / 2);
      expect(acknowledged.finished.length).toBeGreaterThan(0);
      expect(database.prepare("PRAGMA integrity_check").get()?.integrity_check).toBe("ok");
      for (const [id, sha256] of acknowledged.uploads) {
        const upload = await uploads.getUpload(id);
        expect(upload).toMatchObject({ status: "ready", sha256 });
        expect(sha256Hex(readFileSync((await files.fetch(upload?.key ?? "", "")) ?? ""))).toBe(sha256);
      }
      for (const [id, uploadId] of acknowledged.jobs) {
        expect(await jobs.getJob(id)).toMatchObject({ accountId, uploadId });
      }
      for (const id of acknowledged.finished) {
        expect(await jobs.getJob(id)).toMatchObject({ status: "completed" });
      }
      const count = (table: string) => Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
      expect(await sqliteQuotas(database).used(accountId, monthOf(NOW))).toBe(count("uploads") + count("jobs"));
      expect(count("idempotency")).toBe(count("jobs"));
      expect(sqliteQueue(database, { receivesMax: 3 }).receive("fast", NOW, NOW + 1_000)).toBeDefined();
      database.close();
    }
  });

  it("has no partial files and no files without a record after it is reopened", async () => {
    const { id: accountId } = accountRecord();
    await writeAndKill(accountId, 60);
    const { database, files, uploads, jobs } = open();
    await files.clearTemporary();
    await removeOrphans({ files, uploads, jobs }, Date.now() + 1_000);
    const keys: string[] = [];
    for await (const { key } of files.list()) {
      keys.push(key);
    }
    const known = database.prepare("SELECT key FROM uploads ORDER BY key").all();
    expect(keys.sort()).toEqual(known.map(({ key }) => key));
    expect(await files.clearTemporary()).toBe(0);
    database.close();
  });

  it("is locked for other processes until its process is killed", async () => {
    const writer = spawn(process.execPath, [WRITER, folder.path, "acc_a"], { stdio: ["ignore", "pipe", "inherit"] });
    child = writer;
    await once(writer.stdout, "data");
    expect(() => lockFolder(folder.path)).toThrow(`Another Anyform process already uses the directory ${folder.path}`);
    writer.kill("SIGKILL");
    await once(writer, "exit");
    lockFolder(folder.path).release();
  });

  it("is also locked within the same process, until it is released", () => {
    const lock = lockFolder(folder.path);
    expect(() => lockFolder(folder.path)).toThrow("Another Anyform process already uses");
    lock.release();
    lockFolder(folder.path).release();
  });
});
