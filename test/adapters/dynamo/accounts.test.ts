import { dynamoAccounts } from "../../../functions/adapters/dynamo/accounts.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { accountStoreContract } from "../contract/account-store.ts";

const emulators = useEmulators();

accountStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { accounts: dynamoAccounts(dynamo), close: async () => dynamo.client.destroy() };
});
