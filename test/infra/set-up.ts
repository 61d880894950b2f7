import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder of this run, where test files share the templates that they synthesize. */
    readonly templates: string;
  }
}

const folder = mkdtempSync(join(tmpdir(), "anyform-templates-"));

export const setup = (project: TestProject): void => project.provide("templates", folder);

export const teardown = (): void => rmSync(folder, { recursive: true });
