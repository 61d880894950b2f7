import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Shell } from "./command.ts";
import { type Bench, openBench } from "./service.ts";

/** What tests of the command have: a service for the file, and a shell in an empty folder for each test. */
export interface CommandBench {
  readonly bench: Bench;
  /** New for each test, which can replace it. */
  shell: Shell;
}

/** @param env further variables of the shell @param serviceEnv further variables of the service */
export const commandBench = (
  env: Readonly<Record<string, string>> = {},
  serviceEnv: Record<string, string> = {},
): CommandBench => {
  let bench: Bench;
  let shell: Shell;
  let runs = 0;
  beforeAll(async () => {
    bench = await openBench(serviceEnv);
  });
  beforeEach(() => {
    runs += 1;
    const cwd = join(bench.folder, String(runs));
    mkdirSync(cwd);
    const own = { ANYFORM_URL: bench.service.url, ANYFORM_API_KEY: bench.apiKey, XDG_CONFIG_HOME: join(cwd, "config") };
    shell = { cwd, env: { ...own, ...env } };
  });
  afterAll(() => bench?.close());
  return {
    get bench() {
      return bench;
    },
    get shell() {
      return shell;
    },
    set shell(other) {
      shell = other;
    },
  };
};
