import { startAwsTarget, withIdentity } from "../support/services/targets.ts";
import { serviceSuite } from "./suite/service.ts";

serviceSuite("accounts", {
  name: "the Lambda handlers over AWS adapters",
  start: withIdentity(startAwsTarget),
  readsMail: true,
});
