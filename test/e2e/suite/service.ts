import { afterAll, beforeAll, describe } from "vitest";
import type { RunningTarget } from "../../support/targets.ts";
import { accessSuite } from "./access.ts";
import { errorSuite } from "./errors.ts";
import { eventSuite } from "./events.ts";
import { flowSuite } from "./flow.ts";
import { formatSuite } from "./formats.ts";
import { httpSuite } from "./http.ts";
import { idempotencySuite } from "./idempotency.ts";
import { jobSuite } from "./jobs.ts";
import { keySuite } from "./keys.ts";
import { oneCallSuite } from "./one-call.ts";
import { quotaSuite } from "./quota.ts";
import { resourceSuite } from "./resources.ts";
import { scanSuite } from "./scans.ts";
import { signInSuite } from "./sign-in.ts";
import { sourceFormatSuite } from "./source-format.ts";
import { uploadSuite } from "./uploads.ts";
import { webhookSuite } from "./webhooks.ts";

/** The environment of the suite. `start` starts the service or connects to it, and returns a function to stop it. */
export interface ServiceSuite {
  readonly name: string;
  readonly start: () => Promise<RunningTarget>;
  /** Whether the tests can read the service's email. */
  readonly readsMail: boolean;
}

/** Every guarantee of the API, the same for each target. */
export const serviceSuite = ({ name, start, readsMail }: ServiceSuite): void => {
  describe(`on ${name}`, () => {
    let running: RunningTarget;
    beforeAll(async () => {
      running = await start();
    });
    afterAll(() => running?.stop());

    const target = () => running.target;
    flowSuite(target);
    scanSuite(target);
    oneCallSuite(target);
    formatSuite(target);
    errorSuite(target);
    quotaSuite(target);
    uploadSuite(target);
    sourceFormatSuite(target);
    idempotencySuite(target);
    jobSuite(target);
    eventSuite(target);
    resourceSuite(target);
    httpSuite(target);
    accessSuite(target);
    webhookSuite(target);
    keySuite(target);
    if (readsMail) {
      signInSuite(target);
    }
  });
};
