import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

/** Fills the heap, then prints its size before and after the process was idle. */
const PROGRAM = `
  import { getHeapStatistics } from "node:v8";
  import { returnMemoryWhenIdle } from "./functions/engines/core/idle-memory.ts";
  returnMemoryWhenIdle();
  let items = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  items = items.slice(0, 1);
  const size = () => getHeapStatistics().total_heap_size;
  const full = size();
  setInterval(() => {
    if (size() < full / 2) {
      console.log("returned");
      process.exit();
    }
  }, 100);
`;

test("an idle process returns the memory of its garbage", async () => {
  const options = ["--expose-gc", "--input-type=module", "-e", PROGRAM];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"], timeout: 60_000 });
  const [line] = await once(child.stdout, "data");
  expect(String(line)).toBe("returned\n");
});
