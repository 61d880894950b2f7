import { expect, test } from "vitest";
import { pool } from "../../../functions/engines/core/pool/pool.ts";

/** Items that are lent, of which each is a number. */
const lent = () => {
  const started: number[] = [];
  const things = pool<number>({
    size: 2,
    waitingMax: 10,
    start: () => started.push(started.length),
    isFit: () => true,
    end: async () => {},
  });
  return { things, started };
};

test("a borrower waits for an item that is used briefly, and starts another one otherwise", async () => {
  const { things, started } = lent();
  const [brief, long] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = things.useBriefly(() => brief.promise);
  await new Promise((resolve) => setImmediate(resolve));
  const second = things.use(() => long.promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(1);
  brief.resolve();
  await first;
  const third = things.use(async () => {});
  await third;
  expect(started).toHaveLength(2);
  long.resolve();
  await second;
});

test("brief use that waits for an item does not keep others from starting one", async () => {
  const { things, started } = lent();
  const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const busy = [things.use(() => a.promise), things.use(() => b.promise)];
  const brief = things.useBriefly(async () => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(2);
  a.resolve();
  await brief;
  b.resolve();
  await Promise.all(busy);
});

test("a borrower waits for an item that is prepared, while further ones are prepared", async () => {
  const { things, started } = lent();
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const awaited: boolean[] = [];
  const prepared = ends.map(({ promise }) =>
    things.prepare(async (_, isAwaited) => {
      await promise;
      awaited.push(isAwaited());
    }),
  );
  const borrowed = things.use(async (thing) => thing);
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(2);
  ends[1]?.resolve();
  expect(await borrowed).toBe(2);
  ends[0]?.resolve();
  await Promise.all(prepared);
  expect(awaited).toEqual([true, false]);
  await things.prepare(() => Promise.reject(new Error("started")));
  expect(started).toHaveLength(2);
});

test("of two borrowers that waited, one gets the item, and another is started for the other", async () => {
  const { things, started } = lent();
  const [ready, long] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const prepared = things.prepare(() => ready.promise);
  const lentThings: number[] = [];
  const borrowed = [1, 2].map(() =>
    things.use(async (thing) => {
      lentThings.push(thing);
      await long.promise;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect([started.length, lentThings]).toEqual([1, []]);
  ready.resolve();
  await prepared;
  await new Promise((resolve) => setImmediate(resolve));
  expect([started.length, lentThings]).toEqual([2, [1, 2]]);
  long.resolve();
  await Promise.all(borrowed);
});
