import { readFileSync } from "node:fs";

/**
 * Prints the variables of a deployment for a shell, from what `cdk deploy --outputs-file FILE` writes: the URL for the
 * end-to-end tests, and the tables of `npm run accounts -- … --target aws`.
 */

const [path] = process.argv.slice(2);
if (path === undefined) {
  throw new Error("Usage: node .ci/deployment.mjs OUTPUTS.json");
}
const outputs = Object.assign({}, ...Object.values(JSON.parse(readFileSync(path, "utf8"))));

const variables = {
  // Tests add paths that start with a slash.
  ANYFORM_URL: (outputs.PagesUrl ?? outputs.ApiUrl)?.replace(/\/$/, ""),
  ANYFORM_JOBS_TABLE: outputs.JobsTable,
  ANYFORM_KEYS_TABLE: outputs.KeysTable,
  ANYFORM_QUOTAS_TABLE: outputs.QuotasTable,
};

for (const [name, value] of Object.entries(variables)) {
  if (!/^[\w:/.-]+$/.test(value ?? "")) {
    throw new Error(`${path} has no valid value for ${name}.`);
  }
  console.log(`export ${name}=${value}`);
}
