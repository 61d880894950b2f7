import { dynamoJobs } from "../../../functions/adapters/dynamo/jobs/jobs.ts";
import { dynamoPipelines } from "../../../functions/adapters/dynamo/pipelines.ts";
import { dynamoPresets } from "../../../functions/adapters/dynamo/presets.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import { dynamoWebhooks } from "../../../functions/adapters/dynamo/webhooks.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { jobStoreContract } from "../contract/job-store.ts";
import { pipelineStoreContract } from "../contract/pipeline-store.ts";

const emulators = useEmulators();

pipelineStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return {
    jobs: dynamoJobs(dynamo),
    pipelines: dynamoPipelines(dynamo),
    presets: dynamoPresets(dynamo),
    quotas: dynamoQuotas(dynamo),
    close: async () => dynamo.client.destroy(),
  };
});

jobStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return {
    jobs: dynamoJobs(dynamo),
    quotas: dynamoQuotas(dynamo),
    uploads: dynamoUploads(dynamo),
    webhooks: dynamoWebhooks(dynamo),
    close: async () => dynamo.client.destroy(),
  };
});
