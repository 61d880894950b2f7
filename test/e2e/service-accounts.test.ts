import { startDeployedTarget, startLocalTarget, withIdentity } from "../support/services/targets.ts";
import { serviceSuite } from "./suite/service.ts";

/** The one-machine service, and the deployment at `ANYFORM_URL`. `service-accounts-aws.test.ts` has the other target. */

const url = process.env.ANYFORM_URL;

const startProcesses: typeof startLocalTarget = (env) => startLocalTarget({ ...env, ANYFORM_API_PROCESSES: "2" });

serviceSuite("accounts", {
  name: "one machine, with two processes",
  start: withIdentity(startProcesses),
  readsMail: true,
});
if (url) {
  serviceSuite("accounts", {
    name: `the deployment at ${url}`,
    start: () => startDeployedTarget(url),
    readsMail: false,
  });
}
