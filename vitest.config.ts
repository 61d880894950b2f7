import { defineConfig } from "vitest/config";

/** Real tools on a shared machine of two cores: the limits are against hanging, never a measure of speed. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: "forks",
  },
});
