import type { Environment } from "../environment.ts";

/** Settings of `npm run deploy -- -c environment=production`, which the deploy workflow uses. */
export const environment: Environment = {
  stackName: "anyform-production",
  rollout: "gradual",
};
