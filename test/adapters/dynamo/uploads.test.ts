import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { uploadStoreContract } from "../contract/upload-store.ts";

const emulators = useEmulators();

uploadStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { uploads: dynamoUploads(dynamo), quotas: dynamoQuotas(dynamo), close: async () => dynamo.client.destroy() };
});
