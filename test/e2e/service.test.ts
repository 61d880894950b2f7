import { afterAll, beforeAll, describe } from "vitest";
import { startAwsTarget, startDeployedTarget, startLocalTarget } from "../support/targets.ts";
import { accessSuite } from "./suite/access.ts";
import { errorSuite } from "./suite/errors.ts";
import { flowSuite } from "./suite/flow.ts";
import { idempotencySuite } from "./suite/idempotency.ts";
import { jobSuite } from "./suite/jobs.ts";
import { keySuite } from "./suite/keys.ts";
import { quotaSuite } from "./suite/quota.ts";
import { signInSuite } from "./suite/sign-in.ts";
import type { Target } from "./suite/target.ts";
import { uploadSuite } from "./suite/uploads.ts";
import { webhookSuite } from "./suite/webhooks.ts";

/** Each target starts the service and gives a way to end it. The deployed one is there when `ANYFORM_URL` names it. */
const targets: [string, () => Promise<{ target: Target; stop: () => Promise<void> }>][] = [
  ["one machine", startLocalTarget],
  ["the Lambda handlers over AWS adapters", startAwsTarget],
];
const startDeployed = () => startDeployedTarget(process.env.ANYFORM_URL ?? "");
if (process.env.ANYFORM_URL) {
  targets.push([`the deployment at ${process.env.ANYFORM_URL}`, startDeployed]);
}

describe.each(targets)("on %s", (_name, start) => {
  let running: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.stop());

  const target = () => running.target;
  flowSuite(target);
  errorSuite(target);
  quotaSuite(target);
  uploadSuite(target);
  idempotencySuite(target);
  jobSuite(target);
  accessSuite(target);
  webhookSuite(target);
  keySuite(target);
  // Nobody here reads the mail that a deployment sends.
  if (start !== startDeployed) {
    signInSuite(target);
  }
});
