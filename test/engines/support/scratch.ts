import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder of the test file's own, which goes when its tests have ended. */
export interface Scratch {
  readonly folder: string;
  path(name: string): string;
  /** @returns the path of a file with these bytes, under a name that is not yet taken */
  file(bytes: string | Uint8Array): string;
  /** @returns a path that is not yet taken */
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
