import { globSync, readFileSync } from "node:fs";
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
        readonly steps: readonly Step[];
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
  const steps = jobs.flatMap((job) => job.steps);

  test("pins third-party actions to a commit hash", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test("has read-only access to the repository, and a timeout", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const writes = jobs.flatMap(({ permissions = {} }) =>
      Object.entries(permissions).filter(([, may]) => may === "write"),
    );
    expect(writes.every(([what]) => what === "id-token")).toBe(true);
    expect(jobs.every((job) => (job["timeout-minutes"] ?? 0) > 0)).toBe(true);
  });

  test("passes no untrusted text to a shell as code, and uses no stored key", () => {
    expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
    expect(text).not.toMatch(/secrets\.|AWS_SECRET_ACCESS_KEY|pull_request_target/);
  });
});

test("one workflow checks and one deploys, with OIDC credentials", () => {
  expect(names.map((name) => name.split("/").at(-1)).sort()).toEqual(["check.yml", "deploy.yml"]);
  const deploy = load(readFileSync(".github/workflows/deploy.yml", "utf8")) as Workflow;
  expect(deploy.jobs.deploy?.permissions).toEqual({ contents: "read", "id-token": "write" });
});
