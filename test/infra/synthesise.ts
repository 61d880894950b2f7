import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Code } from "aws-cdk-lib/aws-lambda";
import { inject } from "vitest";
import { serviceIn } from "../../infra/app.ts";
import type { Assets } from "../../infra/assets.ts";
import type { Service } from "../../infra/service.ts";
import { synthesizeStrictly } from "../../infra/strict.ts";
import { madeOnce } from "./shared-result.ts";

/**
 * Synthesizes the stack as `cdk synth` does, with the flags of cdk.json, but with empty code: nothing is bundled. All
 * files of a run with the same context share one template.
 *
 * @throws for a warning or a finding of cdk-nag that is not acknowledged
 */
export const synthesise = (context: Readonly<Record<string, string>> = {}): Template => {
  const name = createHash("sha256").update(JSON.stringify(context)).digest("hex").slice(0, 16);
  const path = join(inject("templates"), `${name}.json`);
  return Template.fromJSON(
    JSON.parse(madeOnce(path, () => JSON.stringify(synthesiseWith(context, () => {}).toJSON()))),
  );
};

/** @param change what to do to the stack before it is synthesized */
export const synthesiseWith = (
  context: Readonly<Record<string, string>>,
  change: (service: Service) => void,
): Template => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-synth-"));
  try {
    const { context: flags } = JSON.parse(readFileSync("cdk.json", "utf8"));
    const app = new App({ outdir: join(folder, "cdk.out"), context: { ...flags, ...context } });
    const service = serviceIn(app, emptyAssets(folder));
    change(service);
    return Template.fromJSON(synthesizeStrictly(app).getStackByName(service.stackName).template);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** @returns the function with this name after the stack's name: its logical ID and its properties */
export const functionIn = (template: Template, name: string) => {
  const found = template.findResources("AWS::Lambda::Function", { Properties: { FunctionName: `anyform-${name}` } });
  const [[id, { Properties }] = ["", { Properties: {} }]] = Object.entries(found);
  return { id, Properties };
};

/** Code that does nothing, and differs between functions, as real code does. */
const emptyAssets = (folder: string): Assets => {
  const code = (name: string): Code => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "index.js"), `// ${name}`);
    return Code.fromAsset(path);
  };
  return {
    functionCode: code,
    functionFingerprint: (name) => name,
    layerCode: (engine) => code(`layer-${engine}`),
    imageCode: (platform) => {
      const path = join(folder, `image-${platform}`);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, "Dockerfile"), "FROM scratch\n");
      return Code.fromAssetImage(path);
    },
  };
};
