import { describe, expect, it } from "vitest";
import { groupSync } from "../../../local/sqlite/transactions/group-sync.ts";

/** @returns a sync whose runs end when the test ends them */
const controlled = () => {
  const runs: { end: () => void; fail: () => void }[] = [];
  const sync = () =>
    new Promise<void>((resolve, reject) =>
      runs.push({ end: resolve, fail: () => reject(new Error("The disk failed.")) }),
    );
  return { runs, sync };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("group sync", () => {
  it("serves all writers of a moment with one sync, and those that arrive during it with one more", async () => {
    const { runs, sync } = controlled();
    const wait = groupSync(sync);
    const first = Promise.all(Array.from({ length: 100 }, wait));
    await settle();
    expect(runs.length).toBe(1);
    const others = Array.from({ length: 100 }, wait);
    await settle();
    expect(runs.length).toBe(1);
    runs[0]?.end();
    await first;
    await settle();
    expect(runs.length).toBe(2);
    runs[1]?.end();
    await Promise.all(others);
    wait();
    await settle();
    expect(runs.length).toBe(3);
  });

  it("never uses a sync that started before the write", async () => {
    const { runs, sync } = controlled();
    const wait = groupSync(sync);
    const first = wait();
    await settle();
    let done = false;
    const second = wait().then(() => {
      done = true;
    });
    runs[0]?.end();
    await first;
    await settle();
    expect(done).toBe(false);
    runs[1]?.end();
    await second;
    expect(done).toBe(true);
  });

  it("reports a failure only to the writers of that sync", async () => {
    const { runs, sync } = controlled();
    const wait = groupSync(sync);
    const first = wait();
    await settle();
    const second = wait();
    runs[0]?.fail();
    await expect(first).rejects.toThrow("The disk failed.");
    await settle();
    runs[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
