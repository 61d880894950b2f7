import { expect, test } from "vitest";
import { background } from "../../../local/gotenberg/background.ts";

test("limits the forms of a key that are processed after their response", async () => {
  const later = background(() => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  for (let count = 0; count < 16; count += 1) {
    later.start("one", () => promise);
  }
  expect(() => later.start("one", () => promise)).toThrow("Too many requests with a webhook");
  later.start("two", () => promise);
  resolve();
  await later.drain(60_000);
  later.start("one", () => promise);
});

test("waits for running work when the service stops, and survives its errors", async () => {
  const errors: unknown[] = [];
  const later = background((error) => errors.push(error));
  later.start("one", () => Promise.reject(new Error("failed")));
  await later.drain(60_000);
  expect(errors).toEqual([new Error("failed")]);
  later.start("one", () => new Promise(() => {}));
  await later.drain(1);
});
