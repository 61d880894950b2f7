import type { Environment } from "../environment.ts";

/** Settings of `npm run deploy`. Add a file per environment, and deploy it with `-c environment=NAME`. */
export const environment: Environment = {};
