import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

/** Import boundaries: each rule of `biome.json` rejects violations and accepts what is allowed. */

const root = join(import.meta.dirname, "..");

interface Case {
  readonly path: string;
  readonly source: string;
}

const importing = ([path, name]: readonly [string, string]) => ({
  path,
  name,
  source: `import { thing } from ${JSON.stringify(name)};\nthing();\n`,
});

const forbidden = (
  [
    ["functions/domain/a.ts", "node:fs"],
    ["functions/domain/a.ts", "../adapters/clients.ts"],
    ["functions/domain/a.ts", "sharp"],
    ["functions/domain/jobs/a.ts", "node:fs"],
    ["functions/domain/jobs/a.ts", "../../adapters/clients.ts"],
    ["functions/domain/formats/detect/a.ts", "../../../adapters/clients.ts"],
    ["functions/domain/conversions/by-engine/pdf/a.ts", "../../../../adapters/clients.ts"],
    ["functions/engines/pictures/a.ts", "../../adapters/clients.ts"],
    ["functions/engines/pictures/a.ts", "@aws-sdk/client-s3"],
    ["functions/engines/pictures/a.ts", "./sharp.ts"],
    ["functions/engines/pictures/a.ts", "../pdf/pdfium.ts"],
    ["functions/engines/pictures/a.ts", "node:child_process"],
    ["functions/engines/pictures/a/part.ts", "../sharp.ts"],
    ["functions/engines/pictures/a/part.ts", "../../pdf/pdfium.ts"],
    ["functions/engines/pictures/a/part.ts", "../../../api/http.ts"],
    ["functions/engines/pictures/a/part.ts", "node:child_process"],
    ["functions/engines/pictures/a/b/part.ts", "../../sharp.ts"],
    ["functions/engines/pictures/a/b/part.ts", "../../../pdf/pdfium.ts"],
    ["functions/engines/pictures/a/b/part.ts", "../../../../api/http.ts"],
    ["functions/engines/pictures/a/b/part.ts", "node:child_process"],
    ["functions/engines/core/a.ts", "../pictures/sharp.ts"],
    ["functions/engines/index.ts", "../domain/jobs/job.ts"],
    ["functions/engines/pictures/a.ts", "../../domain/jobs/job.ts"],
    ["functions/engines/pictures/a/part.ts", "../../../domain/jobs/job.ts"],
    ["functions/engines/core/a.ts", "../../domain/jobs/job.ts"],
    ["functions/engines/core/converter-process.ts", "../../domain/jobs/job.ts"],
    ["functions/engines/core/pool/a.ts", "../../../domain/jobs/job.ts"],
    ["functions/engines/core/pool/a.ts", "../../pictures/sharp.ts"],
    ["functions/engines/core/pool/a.ts", "node:child_process"],
    ["functions/engines/core/sandbox/a.ts", "../../../domain/jobs/job.ts"],
    ["functions/adapters/a.ts", "../engines/core/convert.ts"],
    ["functions/adapters/a.ts", "sharp"],
    ["functions/adapters/dynamo/a.ts", "../../engines/core/convert.ts"],
    ["functions/adapters/dynamo/jobs/a.ts", "../../../engines/core/convert.ts"],
    ["functions/api/a.ts", "../engines/core/convert.ts"],
    ["functions/api/jobs/a.ts", "../../engines/core/convert.ts"],
    ["functions/api/jobs/a.ts", "../../adapters/clients.ts"],
    ["functions/api/jobs/a.ts", "@aws-sdk/client-s3"],
    ["functions/api/jobs/a.ts", "@middy/core"],
    ["functions/api/jobs/a.ts", "../http.ts"],
    ["functions/api/jobs/a.ts", "#context"],
    ["functions/api/a.ts", "#context"],
    ["functions/events/a.ts", "../engines/pictures/sharp.ts"],
    ["functions/events/a.ts", "../api/http.ts"],
    ["functions/events/a.ts", "@aws-sdk/client-sqs"],
    ["functions/a.ts", "@middy/core"],
    ["client/a.ts", "node:fs"],
    ["client/a.ts", "./node.ts"],
    ["client/node/a.ts", "../../functions/domain/errors.ts"],
    ["client/transfer/a.ts", "node:fs"],
    ["client/transfer/a.ts", "../node/node-input.ts"],
    ["client/command/a.ts", "../../functions/domain/errors.ts"],
    ["dashboard/a.ts", "../functions/domain/errors.ts"],
    ["dashboard/ui/a.tsx", "../../functions/domain/errors.ts"],
    ["dashboard/pages/jobs/a.tsx", "../../../functions/domain/errors.ts"],
    ["dashboard/a.ts", "../client/node.ts"],
    ["dashboard/a.ts", "node:fs"],
    ["dashboard/a.ts", "zod/mini"],
    ["infra/a.ts", "../functions/context.ts"],
    ["infra/workers/a.ts", "../../functions/context.ts"],
    ["infra/a.ts", "../local/context.ts"],
    ["infra/a.ts", "../functions/events/convert-file.ts"],
  ] as const
).map(importing);

const allowed = (
  [
    ["functions/domain/a.ts", "./limits.ts"],
    ["functions/domain/a.ts", "zod/mini"],
    ["functions/domain/jobs/a.ts", "../limits.ts"],
    ["functions/domain/formats/detect/a.ts", "../../limits.ts"],
    ["functions/engines/pictures/a.ts", "../../domain/errors.ts"],
    ["functions/engines/pictures/a.ts", "../../domain/warning.ts"],
    ["functions/engines/pictures/a.ts", "../core/engine.ts"],
    ["functions/engines/pictures/a.ts", "sharp"],
    ["functions/engines/pictures/a/part.ts", "../../core/program.ts"],
    ["functions/engines/pictures/a/part.ts", "../../data/text/xml.ts"],
    ["functions/engines/pictures/a/b/part.ts", "../part.ts"],
    ["functions/engines/pictures/a/b/part.ts", "../../../data/text/xml.ts"],
    ["functions/engines/pictures/a/b/part.ts", "../../../../domain/errors.ts"],
    ["functions/engines/core/a.ts", "../../domain/errors.ts"],
    ["functions/engines/core/pool/a.ts", "../../../domain/errors.ts"],
    ["functions/engines/core/pool/a.ts", "../converter-process.ts"],
    ["functions/adapters/s3/a.ts", "@aws-sdk/client-s3"],
    ["functions/adapters/s3/a.ts", "../../domain/errors.ts"],
    ["functions/api/jobs/a.ts", "../../domain/jobs/job.ts"],
    ["functions/api/jobs/a.ts", "../uploads/require-upload.ts"],
    ["functions/events/a.ts", "../engines/core/run.ts"],
    ["client/node/a.ts", "node:fs"],
    ["client/command/a.ts", "../node.ts"],
    ["dashboard/pages/jobs/a.tsx", "../../ui/button.tsx"],
    ["dashboard/pages/jobs/a.tsx", "../../../client/index.ts"],
    ["dashboard/a.ts", "../client/api-types.ts"],
    ["dashboard/a.tsx", "preact/hooks"],
    ["dashboard/a.tsx", "@preact/signals"],
    ["infra/a.ts", "../functions/api/routes.ts"],
    ["infra/workers/a.ts", "../functions.ts"],
    ["infra/workers/a.ts", "../../functions/domain/limits.ts"],
    ["infra/a.ts", "../functions/api/permissions.ts"],
  ] as const
).map(importing);

const unwanted = (
  [
    ["functions/api/a.ts", "export const a = process.env.HOME;\n", "lint/style/noProcessEnv"],
    ["functions/api/a.ts", "export default 1;\n", "lint/style/noDefaultExport"],
    ["functions/domain/a.ts", 'export * from "./limits.ts";\n', "lint/performance/noBarrelFile"],
    ["functions/domain/a.ts", "export const a = (b: any) => b;\n", "lint/suspicious/noExplicitAny"],
    ["functions/domain/a.ts", "export const a = (b?: string) => b!.length;\n", "lint/style/noNonNullAssertion"],
  ] as const
).map(([path, source, rule]) => ({ path, source, rule }));

/** File names that rules depend on. Other files get a number, so that all are checked in one run. */
const NAMED = ["index.ts", "run.ts"];

let broken: ReadonlyMap<Case, readonly string[]>;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-boundaries-"));
  try {
    broken = brokenRules(folder, [...forbidden, ...allowed, ...unwanted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @returns the rules that each file violates */
const brokenRules = (folder: string, cases: readonly Case[]): ReadonlyMap<Case, readonly string[]> => {
  const { vcs: _, ...rules } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  writeFileSync(join(folder, "biome.json"), JSON.stringify(rules));
  const paths = new Map(
    cases.map((each, index) => [
      NAMED.includes(basename(each.path)) ? each.path : each.path.replace(/(?=\.tsx?$)/, `-${index}`),
      each,
    ]),
  );
  expect(paths.size).toBe(cases.length);
  for (const [path, { source }] of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  const biome = join(root, "node_modules/.bin/biome");
  const options = ["lint", "--colors=off", "--reporter=github", "--max-diagnostics=none", "."];
  const { stdout, stderr, status } = spawnSync(biome, options, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  expect([0, 1], stderr).toContain(status);
  const found = [...stdout.matchAll(/title=(lint\/\w+\/\w+),file=([^,]+)/g)];
  return new Map(
    [...paths].map(([path, each]) => [
      each,
      found.flatMap(([, rule = "", file]) => (file === join(folder, path) ? [rule] : [])),
    ]),
  );
};

const restricted = "lint/style/noRestrictedImports";

describe("import boundaries", () => {
  it.each(forbidden)("$path may not import $name", (each) => {
    expect(broken.get(each)).toContain(restricted);
  });

  it.each(allowed)("$path may import $name", (each) => {
    expect(broken.get(each)).not.toContain(restricted);
  });

  it.each(unwanted)("$path may not contain $source", (each) => {
    expect(broken.get(each)).toContain(each.rule);
  });
});
