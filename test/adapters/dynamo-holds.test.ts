import { describe, expect, it } from "vitest";
import { dynamoHolds } from "../../functions/adapters/dynamo/holds.ts";
import { IDEMPOTENCY_HOLD_MS } from "../../functions/domain/limits.ts";
import { emptyDynamo, useEmulators } from "../support/emulator-suite.ts";
import { idempotencyRecord, NOW } from "../support/records.ts";
import { keyHoldsContract } from "./contract/key-holds.ts";

const emulators = useEmulators();

const emptyHolds = async () => {
  const dynamo = await emptyDynamo(emulators());
  const close = async () => dynamo.client.destroy();
  return { holds: dynamoHolds(dynamo), lapsesAfterMs: IDEMPOTENCY_HOLD_MS, close };
};

keyHoldsContract("DynamoDB", emptyHolds);

describe("a hold in DynamoDB", () => {
  it("is this request's when it asks again, because the answer was lost", async () => {
    const { holds, close } = await emptyHolds();
    const { key } = idempotencyRecord();
    expect(await holds.hold(key, "first", NOW)).toBe(true);
    expect(await holds.hold(key, "first", NOW)).toBe(true);
    expect(await holds.hold(key, "second", NOW)).toBe(false);
    await close();
  });

  it("does not last when a clock made it that was far ahead, but clocks may be seconds apart", async () => {
    const { holds, close } = await emptyHolds();
    const { key } = idempotencyRecord();
    await holds.hold(key, "first", NOW + 30_000);
    expect(await holds.hold(key, "second", NOW)).toBe(false);
    const { key: other } = idempotencyRecord();
    await holds.hold(other, "first", NOW + 3_600_000);
    expect(await holds.hold(other, "second", NOW)).toBe(true);
    await close();
  });
});
