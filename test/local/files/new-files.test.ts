import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type NewFile, newFiles } from "../../../local/files/new-files.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const newPath = (): string => join(folder.path, randomUUID());

const names = (): string[] => readdirSync(folder.path);

/** Uses the file as its taker does. */
const used = ({ path, descriptor }: NewFile): string => {
  writeSync(descriptor, "content");
  closeSync(descriptor);
  expect(statSync(path)).toMatchObject({ size: 7, mode: 0o100600 });
  rmSync(path);
  return basename(path);
};

describe("new files", () => {
  it("are made one at a time, unless some are wanted in advance", async () => {
    const files = newFiles(newPath);
    const name = used(await files.take());
    expect(name).toMatch(/^[\da-f-]{36}$/);
    expect(names()).toEqual([]);
    expect(used(await files.take())).not.toBe(name);
    await files.close();
  });

  it("are made in advance after the first was taken, and again when half of them are left", async () => {
    const files = newFiles(newPath, 4);
    expect(names()).toEqual([]);
    used(await files.take());
    await expect.poll(names).toHaveLength(4);
    const ready = new Set(names());
    for (const left of [3, 2]) {
      expect(ready.has(used(await files.take()))).toBe(true);
      expect(names()).toHaveLength(left);
    }
    expect(ready.has(used(await files.take()))).toBe(true);
    await expect.poll(names).toHaveLength(4);
    await files.close();
    expect(names()).toEqual([]);
  });

  it("are as many as are needed, although fewer are made in advance", async () => {
    const files = newFiles(newPath, 2);
    const all = await Promise.all(Array.from({ length: 20 }, () => files.take()));
    expect(new Set(all.map(used)).size).toBe(20);
    await files.close();
    expect(names()).toEqual([]);
  });

  it("that are being made when nobody needs them any more are removed too", async () => {
    const files = newFiles(newPath, 16);
    used(await files.take());
    await files.close();
    expect(names()).toEqual([]);
    used(await files.take());
    expect(names()).toEqual([]);
  });

  it("whose folder was deleted are made again when there is one", async () => {
    const files = newFiles(newPath, 2);
    used(await files.take());
    await expect.poll(names).toHaveLength(2);
    await folder.remove();
    await expect(files.take()).rejects.toThrow("ENOENT");
    mkdirSync(folder.path);
    used(await files.take());
    await expect.poll(names).toHaveLength(2);
    await files.close();
  });
});
