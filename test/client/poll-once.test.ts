import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pollOnce } from "../../client/http/retry.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hasChanged = (state: string) => state === "completed";

test("an early response without a change is followed by a pause, so that a crowded account does not poll in a loop", async () => {
  const ended = vi.fn();
  const request = pollOnce(async () => "queued", { hasChanged }).then(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await request;
  expect(ended).toHaveBeenCalledWith("queued");
});

test("a change is returned without a pause, and a pause ends when it is aborted", async () => {
  expect(await pollOnce(async () => "completed", { hasChanged })).toBe("completed");
  const abort = new AbortController();
  const request = pollOnce(async () => "queued", { hasChanged, signal: abort.signal });
  abort.abort(new Error("No more."));
  await expect(request).rejects.toThrow("No more.");
});
