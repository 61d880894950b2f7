import { afterAll, beforeAll, describe } from "vitest";
import type { RunningTarget } from "../../support/services/targets.ts";
import { accessSuite } from "./accounts/access.ts";
import { keySuite } from "./accounts/keys.ts";
import { memberSuite } from "./accounts/members.ts";
import { ownAccountSuite } from "./accounts/own-account.ts";
import { quotaSuite } from "./accounts/quota.ts";
import { requestLogSuite } from "./accounts/request-log.ts";
import { signInSuite } from "./accounts/sign-in.ts";
import { errorSuite } from "./errors.ts";
import { eventSuite } from "./events.ts";
import { exportSuite } from "./exports.ts";
import { flowSuite } from "./flow.ts";
import { formatSuite } from "./formats.ts";
import { httpSuite } from "./http.ts";
import { idempotencySuite } from "./idempotency.ts";
import { jobSuite } from "./jobs.ts";
import { oneCallSuite } from "./one-call.ts";
import { pipelineSuite } from "./pipelines.ts";
import { resourceSuite } from "./resources.ts";
import { scanSuite } from "./scans.ts";
import { sourceFormatSuite } from "./source-format.ts";
import { uploadSuite } from "./uploads.ts";
import { webPageSuite } from "./web-pages.ts";
import { webhookEndpointSuite } from "./webhook-endpoints.ts";
import { webhookSuite } from "./webhooks.ts";

/** The environment of the suite. `start` starts the service or connects to it, and returns a function to stop it. */
export interface ServiceSuite {
  readonly name: string;
  readonly start: () => Promise<RunningTarget>;
  /** Whether the tests can read the service's email. */
  readonly readsMail: boolean;
}

type Suite = (target: () => RunningTarget["target"]) => void;

/** Two halves of about the same duration, so that a run of all tests can execute them side by side. */
const suites = {
  conversions: [
    flowSuite,
    scanSuite,
    oneCallSuite,
    formatSuite,
    errorSuite,
    sourceFormatSuite,
    jobSuite,
    eventSuite,
    resourceSuite,
    pipelineSuite,
    webPageSuite,
  ],
  accounts: [
    quotaSuite,
    uploadSuite,
    idempotencySuite,
    httpSuite,
    accessSuite,
    webhookSuite,
    webhookEndpointSuite,
    exportSuite,
    keySuite,
    requestLogSuite,
  ],
} as const satisfies Readonly<Record<string, readonly Suite[]>>;

/** Every guarantee of the API, the same for each target: one half of them. */
export const serviceSuite = (half: keyof typeof suites, { name, start, readsMail }: ServiceSuite): void => {
  describe(`on ${name}`, () => {
    let running: RunningTarget;
    beforeAll(async () => {
      running = await start();
    });
    afterAll(() => running?.stop());

    const target = () => running.target;
    for (const suite of suites[half]) {
      suite(target);
    }
    if (half === "accounts" && readsMail) {
      ownAccountSuite(target);
      memberSuite(target);
      // It uses up the attempts of the network.
      signInSuite(target);
    }
  });
};
