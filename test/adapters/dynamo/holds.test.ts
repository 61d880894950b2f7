import { describe, expect, it } from "vitest";
import { dynamoHolds } from "../../../functions/adapters/dynamo/holds.ts";
import { IDEMPOTENCY_HOLD_MS } from "../../../functions/domain/limits.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { idempotencyRecord, NOW } from "../../support/world/records.ts";
import { keyHoldsContract } from "../contract/key-holds.ts";

const emulators = useEmulators();

const emptyHolds = async () => {
  const dynamo = await emptyDynamo(emulators());
  const close = async () => dynamo.client.destroy();
  return { holds: dynamoHolds(dynamo), close };
};

keyHoldsContract("DynamoDB", emptyHolds, IDEMPOTENCY_HOLD_MS);

describe("a hold in DynamoDB", () => {
  it("is kept when its request repeats the call, because the response was lost", async () => {
    const { holds, close } = await emptyHolds();
    const { key } = idempotencyRecord();
    expect(await holds.hold(key, "first", NOW)).toBe(true);
    expect(await holds.hold(key, "first", NOW)).toBe(true);
    expect(await holds.hold(key, "second", NOW)).toBe(false);
    await close();
  });

  it("expires if it was made with a clock far ahead, but allows clocks to differ by seconds", async () => {
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
