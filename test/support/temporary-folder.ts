import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one test. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export const temporaryFolder = (parent: string = tmpdir()): TemporaryFolder => {
  const path = mkdtempSync(join(parent, "anyform-test-"));
  // Processes of a browser that has just ended may still write into it.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
};
