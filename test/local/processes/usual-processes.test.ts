import { expect, it } from "vitest";
import { usualProcesses } from "../../../local/processes/usual-processes.ts";

const GB = 1_000_000_000;

it.each([
  [2, 24 * GB, "linux", 1],
  [7, 24 * GB, "linux", 1],
  [8, 16 * GB, "linux", 2],
  [16, 64 * GB, "linux", 4],
  [16, 5 * GB, "linux", 2],
  [16, 0.6 * GB, "linux", 1],
  [16, 64 * GB, "darwin", 1],
] as const)("%i cores with %i bytes of memory on %s have %i processes", (cores, memoryBytes, platform, processes) => {
  expect(usualProcesses({ cores, memoryBytes, platform })).toBe(processes);
});
