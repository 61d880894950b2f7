import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Spares, type SparesSettings, spares } from "../../../functions/engines/core/pool/spares.ts";
import { PATIENCE } from "../../support/patience.ts";

/** Items that are used once; here they only note what happens to them. */

interface Thing {
  readonly id: number;
  isFit: boolean;
  readonly events: string[];
}

let things: Thing[];
let errors: unknown[];
let pending: PromiseWithResolvers<void>[];
beforeEach(() => {
  things = [];
  errors = [];
  pending = [];
});

const made = (settings: Partial<SparesSettings<Thing>> = {}): Spares<Thing> =>
  spares<Thing>({
    countMax: 2,
    endingMax: 2,
    idleMsMax: 60_000,
    start: () => {
      const thing = { id: things.length, isFit: true, events: ["start"] };
      things.push(thing);
      return thing;
    },
    prepare: async ({ events }) => {
      events.push("prepare");
    },
    isFit: ({ isFit }) => isFit,
    end: async ({ events }) => {
      events.push("end");
    },
    onError: (error) => errors.push(error),
    ...settings,
  });

const idOf = async ({ id }: Thing): Promise<number> => id;

describe("items that are used once", () => {
  test("each work has another item, which is prepared for all works but the first", async () => {
    const items = made();
    expect(await items.use(idOf)).toBe(0);
    expect(await items.use(idOf)).toBe(1);
    expect(await items.use(idOf)).toBe(2);
    expect(things.map(({ events }) => events.join())).toEqual([
      "start,end",
      "start,prepare,end",
      "start,prepare,end",
      "start,prepare",
    ]);
    await items.stop();
    expect(things.every(({ events }) => events.at(-1) === "end")).toBe(true);
  });

  test("as many are prepared as there are works at the same time, up to the limit", async () => {
    const items = made();
    const gate = Promise.withResolvers<void>();
    const works = [0, 1, 2].map(() => items.use(() => gate.promise));
    gate.resolve();
    await Promise.all(works);
    // Three for the works, two that wait.
    expect(things).toHaveLength(5);
    expect(things.filter(({ events }) => !events.includes("end"))).toHaveLength(2);
    await items.stop();
  });

  test("without memory for them, none is prepared", async () => {
    const items = made({ countMax: 0 });
    expect([await items.use(idOf), await items.use(idOf)]).toEqual([0, 1]);
    expect(things.map(({ events }) => events.join())).toEqual(["start,end", "start,end"]);
  });

  test("an item that has ended or could not be prepared is replaced, and reported", async () => {
    const failure = new Error("no browser");
    const items = made({
      prepare: async (thing) => {
        thing.isFit = false;
        throw failure;
      },
    });
    await items.use(idOf);
    // The second item failed, the third is prepared for later, and the fourth is started for this work.
    expect(await items.use(idOf)).toBe(3);
    expect(errors).toContain(failure);
    await items.stop();
  });

  test("waiting items are ended after a pause", async () => {
    const items = made({ idleMsMax: 1 });
    await items.use(idOf);
    await vi.waitFor(() => expect(things[1]?.events).toEqual(["start", "prepare", "end"]), PATIENCE);
    expect(await items.use(idOf)).toBe(2);
    await items.stop();
  });

  test("work waits when too many items are ending, and for the end of none otherwise", async () => {
    const items = made({
      countMax: 0,
      endingMax: 1,
      end: () => {
        const end = Promise.withResolvers<void>();
        pending.push(end);
        return end.promise;
      },
    });
    expect(await items.use(idOf)).toBe(0);
    const second = items.use(idOf);
    await Promise.resolve();
    expect(things).toHaveLength(1);
    pending[0]?.resolve();
    expect(await second).toBe(1);
  });

  test("the item of a work that failed is ended as well", async () => {
    const items = made({ countMax: 0 });
    await expect(items.use(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(things[0]?.events).toEqual(["start", "end"]);
  });
});
