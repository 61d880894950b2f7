import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { quotaStoreContract } from "../contract/quota-store.ts";

const emulators = useEmulators();

quotaStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { quotas: dynamoQuotas(dynamo), close: async () => dynamo.client.destroy() };
});
