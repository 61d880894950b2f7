import type { Plugin } from "esbuild";
import type { Permissions } from "../functions/api/permissions.ts";

/**
 * AWS clients that a function has no permission to use. Its bundle does not contain them: compiling and running the code of
 * all takes a third of its import.
 */

/** @returns the packages that a function with these permissions does not need */
export const absentClients = ({
  mails,
  sends,
  asks,
  watches,
  files,
  deploysPages,
  opensPages,
}: Permissions): readonly string[] => [
  ...(opensPages ? [] : ["@aws-sdk/client-lambda"]),
  ...(mails ? [] : ["@aws-sdk/client-sesv2"]),
  ...(sends || asks || watches ? [] : ["@aws-sdk/client-sqs"]),
  ...(files || deploysPages ? [] : ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"]),
];

const NAMESPACE = "absent-client";

/** Replaces the packages by a module whose clients exist, because the context creates all of them, and send nothing. */
export const withoutClients = (packages: readonly string[]): Plugin => ({
  name: NAMESPACE,
  setup: (build) => {
    build.onResolve({ filter: /^@aws-sdk\// }, ({ path }) =>
      packages.includes(path) ? { path, namespace: NAMESPACE } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
      // A CommonJS module has names beyond identifiers.
      contents: moduleOf(
        path,
        Object.keys(await import(path)).filter((name) => /^\w+$/.test(name)),
      ),
      loader: "js",
    }));
  },
});

/** Every export is a class, also those for the errors of a service. Nothing of them is used without a client. */
const moduleOf = (path: string, names: readonly string[]): string => `
const message = ${JSON.stringify(`This function has no permission that requires ${path}.`)};
class Absent {
  async send() {
    throw new Error(message);
  }
}
export { ${names.map((name) => `Absent as ${name}`).join(", ")} };
`;
