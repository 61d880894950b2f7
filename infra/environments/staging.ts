import type { Environment } from "../environment.ts";

/** Settings of `npm run deploy -- -c environment=staging`, which the deploy workflow tests before production. */
export const environment: Environment = {
  stackName: "anyform-staging",
  keepData: false,
};
