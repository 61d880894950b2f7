import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { type FolderFiles, folderFiles } from "../../../local/files/folder-files.ts";
import type { PendingSyncs } from "../../../local/files/pending-syncs.ts";
import { fileStoreContract } from "../../adapters/contract/file-store.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

fileStoreContract("A folder", async () => {
  const folder = temporaryFolder();
  let [lapsed, baseUrl] = [0, ""];
  const clock = () => Date.now() + lapsed;
  const files = folderFiles({
    folder: join(folder.path, "files"),
    baseUrl: () => baseUrl,
    secret: randomBytes(32),
    clock,
  });
  const server = createServer((request, response) => files.serveSigned(request, response));
  baseUrl = await addressOf(server);
  return {
    files,
    scratch: join(folder.path, "scratch"),
    now: clock,
    lapse: async (milliseconds) => {
      lapsed += milliseconds;
    },
    heeds: { deliveryHeaders: true, signatures: true },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await folder.remove();
    },
  };
});

/** Linux's in-memory file system. Files cannot be moved from there to a disk. */
const OTHER_FILE_SYSTEM = "/dev/shm";
const isElsewhere = existsSync(OTHER_FILE_SYSTEM) && statSync(OTHER_FILE_SYSTEM).dev !== statSync(tmpdir()).dev;

describe("the file store of one machine", () => {
  let folder: TemporaryFolder;
  let files: FolderFiles;
  const make = (pending?: PendingSyncs) =>
    folderFiles({
      folder: folder.path,
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => 1_000,
      ...(pending && { pending }),
    });
  beforeEach(() => {
    folder = temporaryFolder();
    files = make();
  });
  afterEach(() => folder.remove());

  const listed = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of files.list()) {
      keys.push(key);
    }
    return keys.sort();
  };

  it("has the files that another process writes after its response, and removes what one that was killed has left", async () => {
    const shared = (processName: string) =>
      folderFiles({
        folder: folder.path,
        baseUrl: () => "",
        secret: Buffer.alloc(32),
        clock: () => 1_000,
        hasOthers: () => true,
        processName,
        filesInAdvance: 2,
      });
    const [one, other] = [shared("1"), shared("2")];
    const bytes = randomBytes(10_000);
    await one.storeBytes("results/job_1/1", bytes, "later");
    expect(await other.bytesOf("results/job_1/1")).toBe(bytes.length);
    await one.storeBytes("results/job_2/1", bytes, "later");
    await other.remove(["results/job_2/1"]);
    await one.close();
    await vi.waitFor(async () => expect(await listed()).toEqual(["results/job_1/1"]), PATIENCE);
    expect(await other.fetch("results/job_3/1", "")).toBeUndefined();
    await other.storeBytes("results/job_4/1", bytes, "on_disk");
    // The files that are made in advance.
    await vi.waitFor(() => expect(readdirSync(join(folder.path, "tmp"))).toHaveLength(2), PATIENCE);
    await one.clearTemporaryOf("2");
    expect(readdirSync(join(folder.path, "tmp"))).toEqual([]);
  });

  it("has small files at once that are written while their sync is pending, and leaves nothing of others", async () => {
    const syncs: Promise<void>[] = [];
    const pending = { add: (sync: Promise<void>) => void syncs.push(sync), ended: async () => {} };
    files = make(pending);
    const bytes = randomBytes(10_000);
    expect(await files.storeBytes("results/job_1/1", bytes, "written")).toEqual({
      bytes: bytes.length,
      sha256: sha256Hex(bytes),
    });
    expect(readFileSync(join(folder.path, "results", "job_1-1")).equals(bytes)).toBe(true);
    // Its content and its name.
    expect(syncs).toHaveLength(2);
    await Promise.all(syncs);
    await files.storeBytes("results/job_2/1", randomBytes(1_000_000), "written");
    expect(syncs).toHaveLength(2);
    expect(await listed()).toEqual(["results/job_1/1", "results/job_2/1"]);
    mkdirSync(join(folder.path, "results", "job_3-1"));
    await expect(files.storeBytes("results/job_3/1", randomBytes(10), "written")).rejects.toThrow("EISDIR");
    expect(readdirSync(join(folder.path, "tmp"))).toEqual([]);
  });

  it.each([
    "uploads/../../etc/passwd",
    "uploads/..",
    "uploads/",
    "uploads",
    "uploads//upl_1",
    "/uploads/upl_1",
    "uploads/upl_1/",
    "uploads/upl-1",
    "uploads/upl_1\0",
    "uploads/upl_1\n",
    "tmp/upl_1",
    "",
  ])("rejects the invalid key %j without touching any file", async (key) => {
    const content = async function* () {
      yield Buffer.from("content");
    };
    await expect(files.storeStream(key, content(), 100)).rejects.toThrow("Invalid file key");
    await expect(files.storeFile(key, join(folder.path, "out"), "image/png")).rejects.toThrow("Invalid file key");
    await expect(files.fetch(key, folder.path)).rejects.toThrow("Invalid file key");
    await expect(files.remove([key])).rejects.toThrow("Invalid file key");
    const delivery = { filename: "a.png", mediaType: "image/png", expiresAt: 2_000 };
    await expect(files.signedUrl(key, delivery)).rejects.toThrow("Invalid file key");
    expect(await listed()).toEqual([]);
  });

  it("leaves no temporary files after a stream is stored, is too large, or fails", async () => {
    const content = async function* (fails: boolean) {
      yield randomBytes(600_000);
      if (fails) {
        throw new Error("The client disconnected.");
      }
    };
    await files.storeStream("uploads/upl_1", content(false), 600_000);
    await expect(files.storeStream("uploads/upl_2", content(false), 599_999)).rejects.toThrow("limit of 599999 bytes");
    await expect(files.storeStream("uploads/upl_3", content(true), 600_000)).rejects.toThrow("disconnected");
    expect(readdirSync(join(folder.path, "tmp"))).toEqual([]);
    expect(await listed()).toEqual(["uploads/upl_1"]);
  });

  it("hides a file until it is completely stored", async () => {
    const seen: unknown[] = [];
    const content = async function* () {
      yield randomBytes(600_000);
      seen.push(await files.fetch("uploads/upl_1", folder.path), await listed());
    };
    await files.storeStream("uploads/upl_1", content(), 600_000);
    expect(seen).toEqual([undefined, []]);
    expect(await listed()).toEqual(["uploads/upl_1"]);
  });

  it("deletes only the files of interrupted writes", async () => {
    writeFileSync(join(folder.path, "tmp", "interrupted"), "half");
    const content = async function* () {
      yield Buffer.from("content");
    };
    await files.storeStream("results/job_1/1", content(), 100);
    expect(await make().clearTemporary()).toBe(1);
    expect(await files.clearTemporary()).toBe(0);
    expect(await listed()).toEqual(["results/job_1/1"]);
  });

  it("moves a result instead of copying it", async () => {
    const path = join(folder.path, "out");
    writeFileSync(path, "content");
    const { ino } = statSync(path);
    await files.storeFile("results/job_1/1", path, "image/png");
    expect(statSync((await files.fetch("results/job_1/1", "")) ?? "").ino).toBe(ino);
    expect(existsSync(path)).toBe(false);
  });

  it("rejects a hard link, because its other name would keep access to the file", async () => {
    const [path, other] = [join(folder.path, "out"), join(folder.path, "other")];
    writeFileSync(other, "what nobody gave");
    linkSync(other, path);
    const storing = files.storeFile("results/job_1/1", path, "image/png");
    await expect(storing).rejects.toMatchObject({ code: "engine_failed" });
    expect(await listed()).toEqual([]);
    expect(readFileSync(other, "utf8")).toBe("what nobody gave");
  });

  it.each([
    ["a link", (path: string, other: string) => symlinkSync(other, path)],
    ["another file", (path: string) => writeFileSync(path, "another")],
  ])("rejects a result that is replaced by %s while it is stored", async (_, put) => {
    const [path, other] = [join(folder.path, "out"), join(folder.path, "other")];
    writeFileSync(other, "what nobody gave");
    writeFileSync(path, "content");
    const storing = files.storeFile("results/job_1/1", path, "image/png");
    // The file is open by now: opening is synchronous, and syncing is not.
    renameSync(path, join(folder.path, "moved"));
    put(path, other);
    await expect(storing).rejects.toMatchObject({ code: "engine_failed" });
    expect(await listed()).toEqual([]);
    expect(readFileSync(other, "utf8")).toBe("what nobody gave");
  });

  it.runIf(isElsewhere)("follows no link on another file system", async () => {
    const elsewhere = temporaryFolder(OTHER_FILE_SYSTEM);
    const [path, other] = [join(elsewhere.path, "out"), join(elsewhere.path, "other")];
    writeFileSync(other, "what nobody gave");
    writeFileSync(path, "content");
    const storing = files.storeFile("results/job_1/1", path, "image/png");
    renameSync(path, join(elsewhere.path, "moved"));
    symlinkSync(other, path);
    await expect(storing).rejects.toMatchObject({ code: "engine_failed" });
    expect([await listed(), readdirSync(join(folder.path, "tmp"))]).toEqual([[], []]);
    await elsewhere.remove();
  });

  it.runIf(isElsewhere)("moves a complete result from another file system, and leaves no copy there", async () => {
    const elsewhere = temporaryFolder(OTHER_FILE_SYSTEM);
    const [path, bytes] = [join(elsewhere.path, "out"), randomBytes(3_000_000)];
    writeFileSync(path, bytes);
    const stored = await files.storeFile("results/job_1/1", path, "image/png");
    expect(stored).toEqual({ bytes: bytes.length, sha256: sha256Hex(bytes) });
    expect(await listed()).toEqual(["results/job_1/1"]);
    expect([existsSync(path), readdirSync(join(folder.path, "tmp"))]).toEqual([false, []]);
    await elsewhere.remove();
  });
});
