import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly "timeout-minutes"?: number;
        readonly steps?: readonly Step[];
        readonly needs?: string;
        /** Another workflow of this repository, which has the steps. */
        readonly uses?: string;
        readonly with?: Readonly<Record<string, string | boolean>>;
      }
    >
  >;
}

const names = globSync(".github/workflows/*.yml");

describe.each(names)("%s", (name) => {
  const text = readFileSync(name, "utf8");
  // A workflow is what GitHub says it is; a missing field fails a test below.
  const workflow = load(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps ?? []);

  test("pins third-party actions to a commit hash", () => {
    const used = [...steps, ...jobs].flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    const foreign = used.filter((action) => !names.some((file) => action === `./${file}`));
    expect(foreign.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test("has read-only access to the repository, and a timeout", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const writes = jobs.flatMap(({ permissions = {} }) =>
      Object.entries(permissions).filter(([, may]) => may === "write"),
    );
    expect(writes.every(([what]) => what === "id-token")).toBe(true);
    expect(jobs.every((job) => job.uses !== undefined || (job["timeout-minutes"] ?? 0) > 0)).toBe(true);
  });

  test("passes no untrusted text to a shell as code, and uses no stored key", () => {
    expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
    expect(text).not.toMatch(/secrets\.|AWS_SECRET_ACCESS_KEY|pull_request_target/);
  });
});

const workflowOf = (name: string) => load(readFileSync(`.github/workflows/${name}.yml`, "utf8")) as Workflow;

test("one workflow checks and one deploys, with OIDC credentials", () => {
  const files = names.map((name) => name.split("/").at(-1)).sort();
  expect(files).toEqual(["check.yml", "deploy-environment.yml", "deploy.yml"]);
  expect(workflowOf("deploy-environment").jobs.deploy?.permissions).toEqual({ contents: "read", "id-token": "write" });
});

describe("a deployment", () => {
  const { check, staging, production, ...others } = workflowOf("deploy").jobs;
  const diff = others["production-diff"];
  const runs = (workflowOf("deploy-environment").jobs.deploy?.steps ?? []).map(({ run = "" }) => run);

  test("waits for the checks, then for staging and its tests, then shows the diff of production", () => {
    expect(check?.uses).toBe("./.github/workflows/check.yml");
    expect(readFileSync(".github/workflows/check.yml", "utf8")).toMatch(/^ {2}workflow_call:/m);
    expect([staging?.needs, diff?.needs, production?.needs]).toEqual(["check", "staging", "production-diff"]);
    expect(staging?.with).toEqual({ environment: "staging", access: "staging", deploys: true, tests: true });
    expect(diff?.with).toMatchObject({ environment: "production", access: "production-diff", deploys: false });
    expect(production?.with).toMatchObject({ environment: "production", access: "production", deploys: true });
  });

  test("uses settings that exist", () => {
    for (const job of [staging, diff, production]) {
      expect(existsSync(`infra/environments/${job?.with?.environment}.ts`)).toBe(true);
    }
  });

  test("deploys exactly what it has synthesized and shown", () => {
    const [synth, shown, deployed] = ["cdk synth", "cdk diff", "cdk deploy"].map((command) =>
      runs.findIndex((run) => run.includes(command)),
    );
    expect([synth, shown, deployed].every((index) => index !== -1)).toBe(true);
    expect([synth, shown, deployed].sort()).toEqual([synth, shown, deployed]);
    expect(runs[synth ?? 0]).toContain("--output cdk.out");
    expect(runs[shown ?? 0]).toContain("--app cdk.out");
    expect(runs[deployed ?? 0]).toContain("--app cdk.out");
  });

  test("runs the end-to-end tests with the URL and the tables from its outputs", () => {
    const folder = mkdtempSync(join(tmpdir(), "anyform-outputs-"));
    try {
      const file = join(folder, "outputs.json");
      const data = { JobsTable: "a-jobs-1", KeysTable: "a-keys-2", QuotasTable: "a-quotas-3", BucketName: "b" };
      const service = {
        PagesUrl: "https://d1.cloudfront.net/",
        ApiUrl: "https://x.execute-api.eu-central-1.amazonaws.com/",
      };
      writeFileSync(file, JSON.stringify({ "anyform-data": data, "anyform-service": service }));
      const printed = execFileSync("node", [".ci/deployment.mjs", file], { encoding: "utf8" });
      expect(printed.trim().split("\n")).toEqual([
        "export ANYFORM_URL=https://d1.cloudfront.net",
        "export ANYFORM_JOBS_TABLE=a-jobs-1",
        "export ANYFORM_KEYS_TABLE=a-keys-2",
        "export ANYFORM_QUOTAS_TABLE=a-quotas-3",
      ]);
      writeFileSync(file, JSON.stringify({ "anyform-data": data }));
      expect(() => execFileSync("node", [".ci/deployment.mjs", file], { stdio: "pipe" })).toThrow(/ANYFORM_URL/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(runs.at(-1)).toContain(".ci/deployment.mjs outputs.json");
    const [, name = ""] = /-t '([^']+)'/.exec(runs.at(-1) ?? "") ?? [];
    expect(name).not.toBe("");
    const suites = runs.at(-1)?.match(/test\/\S+\.test\.ts/g) ?? [];
    expect(suites.length).toBe(2);
    for (const suite of suites) {
      expect(readFileSync(suite, "utf8")).toContain(name);
    }
  });
});
