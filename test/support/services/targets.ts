import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { GATEWAY_UPLOAD_BYTES_MAX, LAMBDA_UPLOAD_BYTES_MAX } from "../../../functions/domain/limits.ts";
import type { Target } from "../../e2e/suite/target.ts";
import { startEmulators } from "../emulators/emulators.ts";
import { startMailServer } from "../emulators/ses.ts";
import { apiClient } from "./client.ts";
import { identityEnvironment, startTestProvider } from "./identity-provider.ts";
import { type NewAccount, startLocalService, startProcess } from "./local-service.ts";
import { type Operator, startOperator } from "./operator.ts";

/** A running target, and how to stop it. */
export interface RunningTarget {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Quota of the suite's account. */
const SUITE_REQUESTS = "100000";

type TargetOptions = Pick<
  Target,
  "burst" | "codeFor" | "invitationFor" | "name" | "reachesTests" | "streams" | "uploadBytesMax"
> & {
  readonly url: string;
  readonly environment: Record<string, string>;
  readonly tables: "local" | "aws";
};

/** In tests, webhook receivers and file servers run on this machine. */
const REACHABLE = { ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" };

const targetAt = async ({ url, ...rest }: TargetOptions, { accounts, signIn }: Operator): Promise<Target> => {
  const email = `suite-${crypto.randomUUID()}@example.com`;
  const args = ["create", "--email", email, "--plan", "enterprise", "--quota", SUITE_REQUESTS];
  const account = await accounts<NewAccount>(args);
  const client = await apiClient(url, account.api_key);
  return { ...rest, accounts, account, signIn: (accountId) => signIn(accountId, url), client };
};

/** A service that fails at the start must not outlive the tests. */
const running = async (options: TargetOptions, stop: () => Promise<void>): Promise<RunningTarget> => {
  const operator = startOperator(options.tables, options.environment);
  const stopBoth = async (): Promise<void> => {
    await operator.stop();
    await stop();
  };
  try {
    return { target: await targetAt(options, operator), stop: stopBoth };
  } catch (error) {
    await stopBoth();
    throw error;
  }
};

/** Codes in messages, each in a separate line. */
const SIGN_IN_CODE = /^ {4}(\d{6})\s*$/m;
const INVITATION_CODE = /^ {4}(acc_\w+\.\w+)\s*$/m;

/** @returns the message without the soft line breaks of quoted-printable */
const unwrapped = (message: string): string => message.replaceAll("=\r\n", "");

/** @returns the code of the latest message to the address in the service's outbox */
const codeInOutbox = async (dataDir: string, email: string, pattern: RegExp): Promise<string | undefined> => {
  const folder = join(dataDir, "outbox");
  const names = (await readdir(folder)).sort();
  const messages = (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).map(unwrapped);
  return pattern.exec(messages.findLast((message) => message.includes(`To: ${email}\r\n`)) ?? "")?.[1];
};

const found = (code: string | undefined): string => {
  if (code === undefined) {
    throw new Error("No code was sent to this address.");
  }
  return code;
};

/** The one-machine service, as `npm start` starts it, with optional settings. */
export const startLocalTarget = async (
  env: Record<string, string> = {},
): Promise<RunningTarget & { readonly dataDir: string }> => {
  const service = await startLocalService({ env: { ...REACHABLE, ...env } });
  const options = {
    name: "local",
    url: service.url,
    environment: { DATA_DIR: service.dataDir },
    tables: "local",
    codeFor: async (email: string) => found(await codeInOutbox(service.dataDir, email, SIGN_IN_CODE)),
    invitationFor: async (email: string) => found(await codeInOutbox(service.dataDir, email, INVITATION_CODE)),
    uploadBytesMax: GATEWAY_UPLOAD_BYTES_MAX,
    burst: 1_000,
    streams: true,
    reachesTests: true,
  } as const;
  const started = await running(options, async () => {
    await service.stop();
    await service.erase();
  });
  return { ...started, dataDir: service.dataDir };
};

/** The Lambda handlers with the AWS adapters, on emulators of DynamoDB, S3 and SQS. */
export const startAwsTarget = async (env: Record<string, string> = {}): Promise<RunningTarget> => {
  const emulators = await startEmulators();
  const mails = await startMailServer();
  const environment = {
    ...emulators.environment,
    ...mails.environment,
    ...REACHABLE,
    POWERTOOLS_LOG_LEVEL: "ERROR",
    ...env,
  };
  const mailed = (email: string, pattern: RegExp) =>
    pattern.exec(mails.messages.findLast(({ to }) => to === email)?.text ?? "")?.[1];
  const service = await startProcess(["test/support/services/aws-service.ts"], environment);
  const options = {
    name: "aws",
    url: service.url,
    environment,
    tables: "aws",
    codeFor: async (email: string) => found(mailed(email, SIGN_IN_CODE)),
    invitationFor: async (email: string) => found(mailed(email, INVITATION_CODE)),
    uploadBytesMax: LAMBDA_UPLOAD_BYTES_MAX,
    burst: 300,
    streams: false,
    reachesTests: true,
  } as const;
  return running(options, async () => {
    await service.stop();
    await emulators.stop();
    mails.close();
  });
};

/** A deployment: its tables are accessed with the operator's AWS credentials. */
const unreadable = async (): Promise<string> => {
  throw new Error("A deployment's mail cannot be read here.");
};

export const startDeployedTarget = (url: string): Promise<RunningTarget> => {
  const options = {
    name: "deployed",
    url,
    environment: {},
    tables: "aws",
    codeFor: unreadable,
    invitationFor: unreadable,
    uploadBytesMax: LAMBDA_UPLOAD_BYTES_MAX,
    burst: 300,
    streams: false,
    reachesTests: false,
  } as const;
  return running(options, async () => undefined);
};

/** @returns the target with an identity provider that its users can sign in with */
export const withIdentity =
  (start: (env: Record<string, string>) => Promise<RunningTarget>) => async (): Promise<RunningTarget> => {
    const identity = await startTestProvider();
    const { target, stop } = await start(identityEnvironment(identity));
    return { target: { ...target, identity }, stop: () => stop().finally(identity.close) };
  };
