import { join } from "node:path";
import type { Plugin } from "esbuild";
import type { Permissions } from "../functions/api/permissions.ts";

/**
 * Code that a function does not contain, because compiling it takes most of a cold start: AWS clients and tables that it
 * has no permission to use, and what no function uses.
 */

/** The module with the plan of all conversions, which imports their tables. */
const PLAN = "functions/domain/conversions/plan.ts";

/** DynamoDB's client creates it, and uses it only for endpoints that it discovers, which is off by default. */
const ENDPOINT_CACHE = "@aws-sdk/endpoint-cache";

/** @returns the packages and modules that a function with these permissions does not need */
export const absentCode = ({
  mails,
  sends,
  asks,
  watches,
  files,
  deploysPages,
  opensPages,
  plans,
}: Permissions): readonly string[] => [
  ENDPOINT_CACHE,
  ...(opensPages ? [] : ["@aws-sdk/client-lambda"]),
  ...(mails ? [] : ["@aws-sdk/client-sesv2"]),
  ...(sends || asks || watches ? [] : ["@aws-sdk/client-sqs"]),
  ...(files || deploysPages ? [] : ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"]),
  ...(plans ? [] : [PLAN]),
];

const NAMESPACE = "absent-code";

/** Replaces what is absent by a module whose exports exist, because the context names all of them, and do nothing. */
export const withoutCode = (root: string, absent: readonly string[]): Plugin => ({
  name: NAMESPACE,
  setup: (build) => {
    build.onResolve({ filter: /^@aws-sdk\// }, ({ path }) =>
      absent.includes(path) ? { path, namespace: NAMESPACE } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
      // A CommonJS module has names beyond identifiers.
      contents: moduleOf(
        path,
        Object.keys(await import(path)).filter((name) => /^\w+$/.test(name)),
      ),
      loader: "js",
    }));
    build.onLoad({ filter: /\/conversions\/plan\.ts$/ }, async ({ path }) =>
      absent.includes(PLAN) && path === join(root, PLAN)
        ? { contents: moduleOf(PLAN, Object.keys(await import(path))), loader: "js" }
        : undefined,
    );
  },
});

/** Each export can be created, as the clients and the errors of a service are. Everything else of it throws. */
const moduleOf = (path: string, names: readonly string[]): string => `
const message = ${JSON.stringify(`This function has no permission that requires ${path}.`)};
function Absent() {
  if (new.target === undefined) {
    throw new Error(message);
  }
}
Absent.prototype.send = async () => {
  throw new Error(message);
};
export { ${names.map((name) => `Absent as ${name}`).join(", ")} };
`;
