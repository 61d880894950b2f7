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
  // A workflow is what GitHub says it is; a field that is missing fails a test below.
  const workflow = load(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test("takes others' actions by the hash of their commit, so that nobody can change them under us", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test("may write nothing to the repository, and ends", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const writes = jobs.flatMap(({ permissions = {} }) =>
      Object.entries(permissions).filter(([, may]) => may === "write"),
    );
    expect(writes.every(([what]) => what === "id-token")).toBe(true);
    expect(jobs.every((job) => (job["timeout-minutes"] ?? 0) > 0)).toBe(true);
  });

  test("puts nothing that somebody else may have written into a shell as code, and knows no stored key", () => {
    expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
    expect(text).not.toMatch(/secrets\.|AWS_SECRET_ACCESS_KEY|pull_request_target/);
  });
});

test("there is one workflow that checks and one that deploys, with credentials of OIDC", () => {
  expect(names.map((name) => name.split("/").at(-1)).sort()).toEqual(["check.yml", "deploy.yml"]);
  const deploy = load(readFileSync(".github/workflows/deploy.yml", "utf8")) as Workflow;
  expect(deploy.jobs.deploy?.permissions).toEqual({ contents: "read", "id-token": "write" });
});
