import { dynamoHolds } from "../../functions/adapters/dynamo-holds.ts";
import { IDEMPOTENCY_HOLD_MS } from "../../functions/domain/limits.ts";
import { emptyDynamo, useEmulators } from "../support/emulator-suite.ts";
import { keyHoldsContract } from "./contract/key-holds.ts";

const emulators = useEmulators();

keyHoldsContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  const close = async () => dynamo.client.destroy();
  return { holds: dynamoHolds(dynamo), lapsesAfterMs: IDEMPOTENCY_HOLD_MS, close };
});
