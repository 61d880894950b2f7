import { GATEWAY_UPLOAD_BYTES_MAX, LAMBDA_UPLOAD_BYTES_MAX } from "../../functions/domain/limits.ts";
import type { Target } from "../e2e/suite/target.ts";
import { apiClient } from "./client.ts";
import { startEmulators } from "./emulators.ts";
import { accountsCommand, type NewAccount, startLocalService, startProcess } from "./local-service.ts";

/** A target that runs, and how to end it. */
export interface RunningTarget {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Requests of the account that the suite works with. */
const SUITE_REQUESTS = "100000";

type TargetOptions = Pick<Target, "name" | "uploadBytesMax" | "burst"> & {
  readonly url: string;
  readonly environment: Record<string, string>;
  readonly tables: "local" | "aws";
};

const targetAt = async ({ url, environment, tables, ...rest }: TargetOptions): Promise<Target> => {
  const accounts = <Result>(args: string[]) => accountsCommand<Result>([...args, "--target", tables], environment);
  const email = `suite-${crypto.randomUUID()}@example.com`;
  const args = ["create", "--email", email, "--plan", "enterprise", "--quota", SUITE_REQUESTS];
  const account = await accounts<NewAccount>(args);
  return { ...rest, accounts, account, client: await apiClient(url, account.api_key) };
};

/** The service of one machine, as `npm start` starts it. */
export const startLocalTarget = async (): Promise<RunningTarget> => {
  const service = await startLocalService();
  const target = await targetAt({
    name: "local",
    url: service.url,
    environment: { DATA_DIR: service.dataDir },
    tables: "local",
    uploadBytesMax: GATEWAY_UPLOAD_BYTES_MAX,
    burst: 1_000,
  });
  return {
    target,
    stop: async () => {
      await service.stop();
      await service.erase();
    },
  };
};

/** The Lambda handlers with the AWS adapters, over emulators of DynamoDB, S3 and SQS. */
export const startAwsTarget = async (): Promise<RunningTarget> => {
  const emulators = await startEmulators();
  const environment = { ...emulators.environment, POWERTOOLS_LOG_LEVEL: "ERROR" };
  const service = await startProcess(["test/support/aws-service.ts"], environment);
  const target = await targetAt({
    name: "aws",
    url: service.url,
    environment,
    tables: "aws",
    uploadBytesMax: LAMBDA_UPLOAD_BYTES_MAX,
    burst: 1_000,
  });
  return {
    target,
    stop: async () => {
      await service.stop();
      await emulators.stop();
    },
  };
};

/** A deployment: its tables are reached by the operator's AWS credentials. */
export const startDeployedTarget = async (url: string): Promise<RunningTarget> => ({
  target: await targetAt({
    name: "deployed",
    url,
    environment: {},
    tables: "aws",
    uploadBytesMax: LAMBDA_UPLOAD_BYTES_MAX,
    burst: 300,
  }),
  stop: async () => undefined,
});
