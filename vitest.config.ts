import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { LongFirst } from "./test/selection/order.ts";
import { sharedFiles } from "./test/selection/shared-files.ts";
import { omittedTests } from "./test/selection/test-files.ts";
import { PATIENCE } from "./test/support/patience.ts";
import { IS_COMPLETE } from "./test/support/run/complete.ts";

/** Test files or names on the command line: `vitest run test/engines/pdf`. */
const isNamed = process.argv.slice(2).some((argument) => argument !== "run" && !argument.startsWith("-"));

const omitted = omittedTests(IS_COMPLETE || isNamed);
const excluded = [...configDefaults.exclude, ...omitted];

/** Test files that share a process of their worker. */
const shared = [...sharedFiles()];

/** Real tools on a shared machine with two cores: the timeouts only detect hangs, and are not a measure of speed. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "isolated", include: ["test/**/*.test.ts"], exclude: [...excluded, ...shared] } },
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
    ],
    exclude: excluded,
    provide: { omittedTests: omitted },
    // It takes seconds of CPU time for each service that a test starts; its own tests call it.
    env: { ANYFORM_REHEARSAL: "false" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: PATIENCE },
    // Two more than there are cores: many tests wait for programs and timers.
    maxWorkers: availableParallelism() + 2,
    pool: "forks",
    sequence: { sequencer: LongFirst },
    globalSetup: [
      "test/support/run/compile-cache.ts",
      "test/support/run/left-out-report.ts",
      "test/selection/set-up.ts",
      "test/support/run/shared-folder.ts",
    ],
  },
});
