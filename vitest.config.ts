import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./test/selection/order.ts";

/** Real tools on a shared machine with two cores: the timeouts only detect hangs, and are not a measure of speed. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are cores: many tests wait for programs and timers.
    maxWorkers: availableParallelism() + 1,
    pool: "forks",
    sequence: { sequencer: LongFirst },
    globalSetup: ["test/support/left-out-report.ts", "test/selection/set-up.ts", "test/infra/set-up.ts"],
  },
});
