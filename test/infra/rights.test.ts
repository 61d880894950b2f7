import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Permissions, taskIds } from "../../functions/api/permissions.ts";
import { fallbackRoute, routes } from "../../functions/api/routes.ts";
import { permissions } from "../../infra/permissions.ts";
import { addressOf } from "../support/address.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { type MailServer, startMailServer } from "../support/emulators/ses.ts";
import { rightsRecorder } from "../support/rights/rights-recorder.ts";
import { rightsOf, type UsedRight, watchCalls } from "../support/rights/used-rights.ts";
import { identityEnvironment, startTestProvider, type TestProvider } from "../support/services/identity-provider.ts";
import { type StripeService, startStripe } from "../support/services/stripe.ts";
import { closeAccount, exerciseSignedIn, manageAccount, signInAndOut } from "./support/exercise-accounts.ts";
import { exerciseEndpoints } from "./support/exercise-endpoints.ts";
import { exerciseBatches, exerciseFiles, FORM, fileServer } from "./support/exercise-files.ts";
import { manageMembers, signInByProvider } from "./support/exercise-members.ts";
import { exercisePipelines } from "./support/exercise-pipelines.ts";

/**
 * Operations and events run on the emulators, and their AWS calls are compared with their rows in the table of
 * permissions: no permission is missing, which the emulators would not detect, and none is unused.
 */

const recorder = rightsRecorder();

/** Signing a URL sends no request, but the URL has the permissions of its signer. */
vi.mock(import("@aws-sdk/s3-request-presigner"), async (original) => {
  const real = await original();
  return {
    ...real,
    getSignedUrl: (...args) => {
      recorder.record(rightsOf(args[1] as never, String));
      return real.getSignedUrl(...args);
    },
  };
});

const emulators = useEmulators();
let stripe: StripeService;
let mailServer: MailServer;
let provider: TestProvider;
let files: Server;

beforeAll(async () => {
  files = fileServer();
  const filesUrl = await addressOf(files);
  process.env.ANYFORM_ALLOW_ADDRESSES = "127.0.0.1";
  process.env.ANYFORM_VISITORS = "true";
  process.env.ANYFORM_OPERATORS = "three@example.com";
  mailServer = await startMailServer();
  Object.assign(process.env, mailServer.environment);
  provider = await startTestProvider();
  Object.assign(process.env, identityEnvironment(provider));
  stripe = await startStripe();
  const { secretKey, webhookSecret, price, api } = stripe.settings;
  process.env.ANYFORM_STRIPE_SECRET_KEY = secretKey;
  process.env.ANYFORM_STRIPE_WEBHOOK_SECRET = webhookSecret;
  process.env.ANYFORM_STRIPE_PRICE = price;
  process.env.ANYFORM_STRIPE_API = api ?? "";
  const names = Object.entries(emulators().environment);
  const nameOf = (value: unknown) =>
    (names.find(([name, known]) => known === value && name.startsWith("ANYFORM_"))?.[0] ?? String(value))
      .replace(/^ANYFORM_(QUEUE_URL_)?|_TABLE$/g, "")
      .toLowerCase();
  watchCalls((sent) => recorder.record(rightsOf(sent, nameOf)));
  await exerciseFiles(recorder, filesUrl);
  await exerciseBatches(recorder, filesUrl);
  await exercisePipelines(recorder, { form: FORM, hook: `${filesUrl}/hook` });
  await exerciseEndpoints(recorder, `${filesUrl}/hook`);
  await exerciseSignedIn(recorder);
  await manageAccount(recorder, stripe);
  await signInAndOut(recorder, mailServer);
  await manageMembers(recorder, mailServer);
  await signInByProvider(recorder, provider);
  await closeAccount(recorder, mailServer);
});
afterAll(() => {
  vi.restoreAllMocks();
  files.close();
  void provider.close();
  mailServer.close();
  return stripe.close();
});

/** The permissions of every function. */
const all: ReadonlyMap<string, Permissions> = new Map([
  ...[...routes, fallbackRoute].map((operation) => [operation.id, operation.permissions] as const),
  ...Object.entries(permissions),
]);

/** Functions whose permissions are checked to be exact; not every path of the other functions runs here. */
const complete = [...all.keys()].filter(
  (name) => !["convertFile", "convertPage", "failJob", "sweepJobs"].includes(name),
);

const granted = (name: string): string[] => {
  const {
    tables,
    index,
    lists,
    mails,
    watches,
    deploysPages,
    files: prefixes = {},
    asks = [],
  } = all.get(name) ?? { tables: {} };
  const actions = Object.entries({ ...tables, ...prefixes }).flatMap(([resource, names]) =>
    names.map((action) => `${action} on ${resource}`),
  );
  const query = [
    ...(index === undefined ? [] : [`Query on jobs/${index}`]),
    ...(lists === undefined ? [] : ["Query on keys/by-account"]),
    ...(mails === undefined ? [] : ["SendEmail on mail"]),
    ...(watches === undefined ? [] : ["GetQueueAttributes on dead letters", "GetQueueAttributes on lanes"]),
    ...(deploysPages === undefined ? [] : ["PutObject on index.html"]),
  ];
  return [...actions, ...query, ...asks.map((queue) => `SendMessage on ${queue}`)].sort();
};

const isLane = ({ action, resource }: UsedRight): boolean =>
  action === "SendMessage" && !taskIds.some((task) => task === resource);

const requested = (name: string): string[] => {
  const rights = (recorder.used.get(name) ?? []).filter((right) => !isLane(right));
  return [...new Set(rights.map(({ action, resource }) => `${action} on ${resource}`))].sort();
};

test.each(complete)("%s uses exactly the AWS permissions of its row", (name) => {
  expect(requested(name)).toEqual(granted(name));
});

test.each(["convertFile", "convertPage", "sweepJobs"])(
  "%s uses no AWS permission that its row does not contain",
  (name) => {
    expect(requested(name).filter((right) => !granted(name).includes(right))).toEqual([]);
  },
);

test("only operations that create jobs, and the retry of an attempt, send to lanes", () => {
  const senders = [...recorder.used].filter(([, rights]) => rights.some(isLane)).map(([name]) => name);
  expect(senders.sort()).toEqual(["announceEnd", "createBatch", "createJob", "createPipeline"]);
});

test.each(
  Object.entries(permissions).flatMap(([name, { only = {} }]) =>
    Object.entries(only).map((row) => [name, ...row] as const),
  ),
)(
  "%s only uses the records and attributes of the table %s that its row names",
  (name, table, { records, attributes }) => {
    const rights = (recorder.used.get(name) ?? []).filter(({ resource }) => resource === table);
    expect(rights.length).toBeGreaterThan(0);
    if (records !== undefined) {
      const starts = [records].flat().map((start) => start.replace("*", ""));
      expect(rights.filter(({ record }) => !starts.some((start) => record?.startsWith(start)))).toEqual([]);
    }
    if (attributes !== undefined) {
      const named = rights.flatMap((right) => right.attributes ?? []);
      expect(new Set(named.map(onAnyDay))).toEqual(new Set(attributes.map(onAnyDay)));
    }
  },
);

/** Counters have a name per day, and one run sees one day. */
const onAnyDay = (attribute: string): string => attribute.replace(/^\d+(?=[a-z]$)/, "");
