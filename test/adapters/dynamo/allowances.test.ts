import { dynamoAllowances } from "../../../functions/adapters/dynamo/allowances.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { allowanceStoreContract } from "../contract/allowance-store.ts";

const emulators = useEmulators();

allowanceStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { allowances: dynamoAllowances(dynamo), close: async () => dynamo.client.destroy() };
});
