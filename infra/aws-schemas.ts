import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * The schemas of an AWS client as a bundler can drop them: each object has constants as computed keys, which count as
 * effects, so that every bundle with the client had the schemas of all its operations.
 */
export const literalSchemaKeys: Plugin = {
  name: "literal-schema-keys",
  setup: (build) => {
    build.onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: withLiteralKeys(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};

const CONSTANT = /^const (_\w*) = ("[^"\\]*");$/gm;
const KEY = /\[(_\w*)\]:/g;

const withLiteralKeys = (source: string): string => {
  const constants = new Map([...source.matchAll(CONSTANT)].map(([, name, text]) => [name, text]));
  return source.replace(KEY, (key, name: string) => (constants.has(name) ? `${constants.get(name)}:` : key));
};
