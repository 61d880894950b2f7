import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Permissions, taskIds } from "../../functions/api/permissions.ts";
import { fallbackRoute, routes } from "../../functions/api/routes.ts";
import { permissions } from "../../infra/permissions.ts";
import { addressOf } from "../support/address.ts";
import { makeAsker } from "../support/asker.ts";
import { useEmulators } from "../support/emulator-suite.ts";
import { type MailServer, startMailServer } from "../support/ses.ts";
import { type StripeService, startStripe } from "../support/stripe.ts";
import { rightsOf, type UsedRight, watchCalls } from "../support/used-rights.ts";
import { askForBatch, askForFiles, fileServer } from "./asked-files.ts";
import { askSignedIn, manageAccount, signInAndOut } from "./asked-people.ts";

/**
 * Operations and events are run over the emulators, and what they ask of AWS is held against their rows in the table of
 * permissions: nothing is missing, which the emulators would not notice, and nothing is there in vain.
 */

const asker = makeAsker();

/** A signed URL is asked of nobody, and still does what its signer may. */
vi.mock(import("@aws-sdk/s3-request-presigner"), async (original) => {
  const real = await original();
  return {
    ...real,
    getSignedUrl: (...args) => {
      asker.tell(rightsOf(args[1] as never, String));
      return real.getSignedUrl(...args);
    },
  };
});

const emulators = useEmulators();
let stripe: StripeService;
let mailServer: MailServer;
let files: Server;

beforeAll(async () => {
  files = fileServer();
  const filesUrl = await addressOf(files);
  process.env.ANYFORM_ALLOW_ADDRESSES = "127.0.0.1";
  process.env.ANYFORM_VISITORS = "true";
  mailServer = await startMailServer();
  Object.assign(process.env, mailServer.environment);
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
  watchCalls((sent) => asker.tell(rightsOf(sent, nameOf)));
  await askForFiles(asker, filesUrl);
  await askForBatch(asker, filesUrl);
  await askSignedIn(asker);
  await manageAccount(asker, stripe);
  await signInAndOut(asker, mailServer);
});
afterAll(() => {
  vi.restoreAllMocks();
  files.close();
  mailServer.close();
  return stripe.close();
});

/** The permissions of every function. */
const all: ReadonlyMap<string, Permissions> = new Map([
  ...[...routes, fallbackRoute].map((operation) => [operation.id, operation.permissions] as const),
  ...Object.entries(permissions),
]);

/** Permissions that are checked to be exact; not every path of the other functions is run here. */
const complete = [...all.keys()].filter((name) => !["convertFile", "failJob", "sweepJobs"].includes(name));

const granted = (name: string): string[] => {
  const { tables, index, lists, mails, places, files: prefixes = {}, asks = [] } = all.get(name) ?? { tables: {} };
  const actions = Object.entries({ ...tables, ...prefixes }).flatMap(([resource, names]) =>
    names.map((action) => `${action} on ${resource}`),
  );
  const query = [
    ...(index === undefined ? [] : [`Query on jobs/${index}`]),
    ...(lists === undefined ? [] : ["Query on keys/by-account"]),
    ...(mails === undefined ? [] : ["SendEmail on mail"]),
    ...(places === undefined ? [] : ["PutObject on index.html"]),
  ];
  return [...actions, ...query, ...asks.map((queue) => `SendMessage on ${queue}`)].sort();
};

const isLane = ({ action, resource }: UsedRight): boolean =>
  action === "SendMessage" && !taskIds.some((task) => task === resource);

const asked = (name: string): string[] => {
  const rights = (asker.used.get(name) ?? []).filter((right) => !isLane(right));
  return [...new Set(rights.map(({ action, resource }) => `${action} on ${resource}`))].sort();
};

test.each(complete)("%s asks of AWS just what its row allows", (name) => {
  expect(asked(name)).toEqual(granted(name));
});

test.each(["convertFile", "sweepJobs"])("%s asks of AWS nothing that its row does not allow", (name) => {
  expect(asked(name).filter((right) => !granted(name).includes(right))).toEqual([]);
});

test("only those send to lanes whose rows say so", () => {
  const senders = [...asker.used].filter(([, rights]) => rights.some(isLane)).map(([name]) => name);
  expect(senders.sort()).toEqual(["createBatch", "createJob"]);
});

test.each(
  Object.entries(permissions).flatMap(([name, { only = {} }]) =>
    Object.entries(only).map((row) => [name, ...row] as const),
  ),
)(
  "%s keeps within the records and attributes of the table %s that its row names",
  (name, table, { records, attributes }) => {
    const rights = (asker.used.get(name) ?? []).filter(({ resource }) => resource === table);
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

/** What is counted has a name for each day, and one run sees one day. */
const onAnyDay = (attribute: string): string => attribute.replace(/^\d+(?=[a-z]$)/, "");
