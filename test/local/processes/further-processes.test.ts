import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FurtherProcesses, furtherProcesses } from "../../../local/processes/further-processes.ts";
import { ownState, type SharedState } from "../../../local/processes/shared-state.ts";
import { PATIENCE } from "../../support/patience.ts";

/** Further processes that run a program of this folder. `test/e2e/api-processes.test.ts` has those of a service. */

let folder: string;
let state: SharedState;
let further: FurtherProcesses;
let ended: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "anyform-test-"));
  [state, ended] = [ownState(), []];
});
afterEach(async () => {
  further.stopAccepting();
  await further.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (program: string, silenceMs?: number): void => {
  further = furtherProcesses({
    count: 1,
    port: 0,
    state,
    queue: { sentElsewhere: () => {} },
    files: { clearTemporaryOf: async (processName) => void ended.push(processName) },
    scratchFolder: folder,
    onError: () => {},
    program: join(import.meta.dirname, "programs", program),
    ...(silenceMs !== undefined && { silenceMs }),
  });
};

const isHeld = async (): Promise<boolean> => {
  const isFree = await state.holds.hold("key", "test", 0);
  await state.holds.release("key", "test");
  return !isFree;
};

it("hold keys until they end", async () => {
  start("silent.ts");
  await vi.waitFor(async () => expect(await isHeld()).toBe(true), PATIENCE);
  further.stopAccepting();
  await further.stop();
  expect([await isHeld(), ended]).toEqual([false, ["1"]]);
});

it("are replaced when they are silent, and what they held is free", async () => {
  start("silent.ts", 200);
  await vi.waitFor(async () => expect(await isHeld()).toBe(true), PATIENCE);
  await vi.waitFor(() => expect(ended.length).toBe(1), PATIENCE);
  expect(await isHeld()).toBe(false);
  await vi.waitFor(() => expect(ended).toEqual(["1", "1"]), PATIENCE);
});

it("are started again when they end", async () => {
  start("ending.ts");
  await vi.waitFor(() => expect(ended.length).toBe(2), PATIENCE);
});
