import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder of this run, where test files share what takes long to make: templates, bundles. */
    readonly shared: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), "anyform-shared-"));

export const setup = (project: TestProject): void => project.provide("shared", folder);

export const teardown = (): void => rmSync(folder, { recursive: true });
