import { dynamoBursts } from "../../../functions/adapters/dynamo/bursts.ts";
import { dynamoStorages } from "../../../functions/adapters/dynamo/storages.ts";
import { dynamoWebhooks } from "../../../functions/adapters/dynamo/webhooks.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { burstStoreContract } from "../contract/burst-store.ts";
import { storageStoreContract } from "../contract/storage-store.ts";
import { webhookStoreContract } from "../contract/webhook-store.ts";

const emulators = useEmulators();

webhookStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { webhooks: dynamoWebhooks(dynamo), close: async () => dynamo.client.destroy() };
});

storageStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { storages: dynamoStorages(dynamo), close: async () => dynamo.client.destroy() };
});

burstStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { bursts: dynamoBursts(dynamo), close: async () => dynamo.client.destroy() };
});
