import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the test file, deleted after its tests. */
export interface Scratch {
  readonly folder: string;
  path(name: string): string;
  /** @returns the path of a file with these bytes, under an unused name */
  file(bytes: string | Uint8Array): string;
  /** @returns an unused path */
  fresh(): string;
}

export const scratchFolder = (): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-test-"));
  let count = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fresh = (): string => {
    count += 1;
    return join(folder, `file-${count}`);
  };
  return {
    folder,
    path: (name) => join(folder, name),
    fresh,
    file: (bytes) => {
      const path = fresh();
      writeFileSync(path, bytes);
      return path;
    },
  };
};
