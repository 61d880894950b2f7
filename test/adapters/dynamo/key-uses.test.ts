import { dynamoKeyUses } from "../../../functions/adapters/dynamo/key-uses.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { keyUsesContract } from "../contract/key-uses.ts";

const emulators = useEmulators();

keyUsesContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { keyUses: dynamoKeyUses(dynamo), close: async () => dynamo.client.destroy() };
});
