import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { dynamoBursts } from "../../../functions/adapters/dynamo/bursts.ts";
import { dynamoSlots } from "../../../functions/adapters/dynamo/slots.ts";
import { IMPORTS_PER_ACCOUNT_MAX, WAITS_PER_ACCOUNT_MAX } from "../../../functions/domain/limits.ts";
import type { AccountSlots } from "../../../functions/domain/task-ports.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { accountSlotsContract } from "../contract/account-slots.ts";

const emulators = useEmulators();

const emptySlots = async () => {
  const dynamo = await emptyDynamo(emulators());
  const close = async () => dynamo.client.destroy();
  return { dynamo, slots: dynamoSlots(dynamo), close };
};

accountSlotsContract("DynamoDB, with waits,", async () => ({
  ...(await emptySlots()),
  kind: "wait",
  max: WAITS_PER_ACCOUNT_MAX,
}));

describe("slots in DynamoDB", () => {
  it("become free when their requests were interrupted and must have ended; a late release frees no other slot", async () => {
    const { slots, close } = await emptySlots();
    const { id } = accountRecord();
    const takeAll = (now: number) =>
      Promise.all(Array.from({ length: 2 * WAITS_PER_ACCOUNT_MAX }, () => slots.take(id, "wait", now)));
    const releases = (await takeAll(NOW)).filter((release) => release !== undefined);
    expect(releases).toHaveLength(WAITS_PER_ACCOUNT_MAX);
    // The record of the second window after this one is the same.
    const later = (await takeAll(NOW + 60_000)).filter((release) => release !== undefined);
    expect(later).toHaveLength(WAITS_PER_ACCOUNT_MAX);
    await releases[0]?.();
    expect(await slots.take(id, "wait", NOW + 60_000)).toBeUndefined();
    await close();
  });
});

describe("slots of long work in DynamoDB", () => {
  const importsOf = (slots: AccountSlots, id: string) => async (now: number) => {
    const taken = await Promise.all(
      Array.from({ length: 2 * IMPORTS_PER_ACCOUNT_MAX }, () => slots.take(id, "import", now)),
    );
    return taken.filter((release) => release !== undefined);
  };

  it("are free a minute after their functions were killed, as are those of a clock that was an hour ahead", async () => {
    const { slots, close } = await emptySlots();
    const takeAll = importsOf(slots, accountRecord().id);
    await takeAll(NOW + 3_600_000);
    expect(await takeAll(NOW)).toHaveLength(IMPORTS_PER_ACCOUNT_MAX);
    expect(await takeAll(NOW + 60_000)).toHaveLength(IMPORTS_PER_ACCOUNT_MAX);
    await close();
  });

  it("are counted again while the work goes on, until it releases them", async () => {
    const { dynamo, slots, close } = await emptySlots();
    const { id } = accountRecord();
    const windowMs = 30_000;
    // The next window starts in 50 ms.
    const start = Math.ceil(NOW / windowMs) * windowMs - 50;
    const releases = await importsOf(slots, id)(start);
    const nextWindow = Math.floor(start / windowMs) + 1;
    const key = { accountId: id, period: `import#${nextWindow % 2}` };
    const counted = async () => {
      const { Item } = await dynamo.client.send(new GetCommand({ TableName: dynamo.tables.quotas, Key: key }));
      return Item?.second === nextWindow ? Number(Item.taken) : 0;
    };
    await expect.poll(counted).toBe(IMPORTS_PER_ACCOUNT_MAX);
    const oneMore = () => slots.take(id, "import", start + 100);
    expect(await oneMore()).toBeUndefined();
    await Promise.all(releases.map((release) => release()));
    expect(await oneMore()).toBeDefined();
    await close();
  });
});

describe("waits of a function in DynamoDB", () => {
  it.each([7, 120])(
    "are limited to %i for all accounts together, and released with those of the account",
    async (max) => {
      const { dynamo, close } = await emptySlots();
      const slots = dynamoSlots(dynamo, { functionName: "get-job", max });
      const others = dynamoSlots(dynamo, { functionName: "get-upload", max });
      const takeAll = (count: number) =>
        Promise.all(Array.from({ length: count }, () => slots.take(accountRecord().id, "wait", NOW)));
      const releases = (await takeAll(3 * max)).filter((release) => release !== undefined);
      expect(releases.length).toBeLessThanOrEqual(max);
      expect(releases.length).toBeGreaterThan(0.8 * max);
      const { id } = accountRecord();
      // A refused wait takes no slot of its account.
      for (let tries = 0; tries < 2 * WAITS_PER_ACCOUNT_MAX; tries += 1) {
        await slots.take(id, "wait", NOW);
      }
      expect(await others.take(id, "wait", NOW)).toBeDefined();
      expect(await slots.take(id, "import", NOW)).toBeDefined();
      await Promise.all(releases.map((release) => release()));
      expect((await takeAll(max)).filter((release) => release !== undefined).length).toBeGreaterThan(0.5 * max);
      await close();
    },
  );
});

describe("a record of the same second of an earlier minute", () => {
  it("is reused without rejecting any of the concurrent requests within the limit", async () => {
    const { dynamo, close } = await emptySlots();
    const { id } = accountRecord();
    const bursts = dynamoBursts(dynamo);
    await bursts.take(id, NOW, 20);
    const left = await Promise.all(Array.from({ length: 20 }, () => bursts.take(id, NOW + 60_000, 20)));
    expect(left.filter((count) => count >= 0)).toHaveLength(20);
    await close();
  });
});
