import { startDeployedTarget, startLocalTarget } from "../support/services/targets.ts";
import { serviceSuite } from "./suite/service.ts";

/** The one-machine service, and the deployment at `ANYFORM_URL`. `service-conversions-aws.test.ts` has the other target. */

const url = process.env.ANYFORM_URL;

serviceSuite("conversions", { name: "one machine", start: startLocalTarget, readsMail: true });
if (url) {
  serviceSuite("conversions", {
    name: `the deployment at ${url}`,
    start: () => startDeployedTarget(url),
    readsMail: false,
  });
}
