import { dynamoSessions } from "../../../functions/adapters/dynamo/sessions.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { sessionStoreContract } from "../contract/session-store.ts";

const emulators = useEmulators();

sessionStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return { sessions: dynamoSessions(dynamo), close: async () => dynamo.client.destroy() };
});
