import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import { fixture } from "../e2e/suite/target.ts";
import { PATIENCE } from "../support/patience.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

/** `npm run backup` and `npm run restore` on a real service. */

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
let folder: TemporaryFolder;
let service: LocalService;
let client: ApiClient;
let converted: { job: JobView; bytes: Buffer };

const command = (name: "backup" | "restore", dataDir: string, ...args: string[]) =>
  run(process.execPath, ["local/backup.ts", name, ...args], { cwd: root, env: { ...process.env, DATA_DIR: dataDir } });
/** @returns the message of a command that must fail */
const refusal = (...args: Parameters<typeof command>): Promise<string> =>
  command(...args).then(
    () => expect.unreachable("The command succeeded."),
    ({ code, stderr }) => `${code} ${stderr.trim()}`,
  );
const keyIn = (dataDir: string) => readFileSync(join(dataDir, "api-key"), "utf8").trim();
const backup = () => join(folder.path, "anyform.tar");

beforeAll(async () => {
  folder = temporaryFolder();
  service = await startLocalService({ dataDir: join(folder.path, "data") });
  await vi.waitFor(() => expect(existsSync(join(service.dataDir, "api-key"))).toBe(true), PATIENCE);
  client = await apiClient(service.url, keyIn(service.dataDir));
  converted = await client.turn(fixture("sample.png"), "jpg");
  const { stdout } = await command("backup", service.dataDir, backup());
  expect(stdout).toMatch(/^6 files \(\d+\.\d MB\) of .* saved to .*anyform\.tar\.\n$/);
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

describe("a backup of a running service", () => {
  it("is a tar that only the owner can read, with the database, the secrets and all files", () => {
    expect(statSync(backup()).mode & 0o777).toBe(0o600);
    const { stdout } = spawnSync("tar", ["-tf", backup()], { encoding: "utf8" });
    expect(stdout.split("\n").map((name) => name.replace(/[^/]+$/, (last) => last.replace(/_.*/, "")))).toEqual([
      "anyform.db",
      "url-secret",
      "storage-secret",
      "api-key",
      "files/uploads/upl",
      "files/results/job",
      "",
    ]);
    expect(readdirSync(service.dataDir).filter((name) => name.startsWith(".backup"))).toEqual([]);
  });

  it("does not overwrite a file, and needs an installation", async () => {
    expect(await refusal("backup", service.dataDir, backup())).toBe(`1 ${backup()} exists. Choose another name.`);
    const empty = join(folder.path, "empty");
    expect(await refusal("backup", empty, `${backup()}.2`)).toMatch(/^1 .* has no database\. Set DATA_DIR/);
    expect(existsSync(`${backup()}.2`)).toBe(false);
  });

  it("is restored to a service with the same accounts, keys, jobs and results", async () => {
    const dataDir = join(folder.path, "restored");
    await command("restore", dataDir, backup());
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const other = await startLocalService({ dataDir });
    const again = await apiClient(other.url, keyIn(dataDir));
    const { bytes } = await again.download(converted.job.result?.download_token ?? "");
    expect(bytes).toEqual(converted.bytes);
    expect((await again.turn(fixture("sample.png"), "webp")).job.status).toBe("completed");
    await other.stop();
  });

  it("is not restored while the service runs, or over data without --replace", async () => {
    expect(await refusal("restore", service.dataDir, backup())).toMatch(/^1 Another Anyform process already uses/);
    const dataDir = join(folder.path, "used");
    await command("restore", dataDir, backup());
    writeFileSync(join(dataDir, "api-key"), "another key\n");
    expect(await refusal("restore", dataDir, backup())).toMatch(/already contains data\. Add --replace/);
    expect(keyIn(dataDir)).toBe("another key");
    const { stdout } = await command("restore", dataDir, backup(), "--replace");
    const [, previous = ""] = /The previous data is in (.*)\.\n$/.exec(stdout) ?? [];
    expect(keyIn(dataDir)).toBe(keyIn(service.dataDir));
    expect(keyIn(previous)).toBe("another key");
    expect(readdirSync(dataDir)).not.toContain("restoring");
  });

  it("is rejected if it is incomplete, damaged or something else, and changes nothing", async () => {
    const bytes = readFileSync(backup());
    const zeros = Buffer.from(bytes);
    zeros.fill(0, 4_096, 12_288);
    const other = join(folder.path, "other");
    mkdirSync(other);
    writeFileSync(join(other, "notes.txt"), "Notes");
    spawnSync("tar", ["-cf", join(folder.path, "other.tar"), "-C", other, "notes.txt"]);
    writeFileSync(join(folder.path, "cut.tar"), bytes.subarray(0, bytes.length / 2));
    writeFileSync(join(folder.path, "damaged.tar"), zeros);
    const dataDir = join(folder.path, "untouched");
    for (const [name, reason] of [
      ["cut.tar", "is not a complete backup"],
      ["damaged.tar", "contains no intact database"],
      ["other.tar", "is not a backup of Anyform: it contains notes.txt"],
      ["missing.tar", "ENOENT"],
    ] as const) {
      expect(await refusal("restore", dataDir, join(folder.path, name))).toContain(reason);
      expect(readdirSync(dataDir).filter((entry) => !entry.startsWith("lock.db"))).toEqual([]);
    }
  });

  it("has commands with --help and errors for wrong arguments", async () => {
    expect((await command("backup", service.dataDir, "--help")).stdout).toContain("npm run -s restore -- FILE");
    expect(await refusal("backup", service.dataDir)).toMatch(/^1 FILE is missing\./);
  });
});
