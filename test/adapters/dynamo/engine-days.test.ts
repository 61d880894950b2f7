import { dynamoEngineDays } from "../../../functions/adapters/dynamo/engine-days.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { engineDaysContract } from "../contract/engine-days.ts";

const emulators = useEmulators();

engineDaysContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { engineDays: dynamoEngineDays(dynamo), close: async () => dynamo.client.destroy() };
});
