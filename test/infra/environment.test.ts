import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { applyEnvironment, environmentOf, rejectUnknown } from "../../infra/environment.ts";
import { readSettings } from "../../infra/settings/settings.ts";

const nodeOf = (context: Readonly<Record<string, string>> = {}) => new App({ context }).node;

test("settings of an environment are those of the command line, without repeating them", () => {
  const node = nodeOf();
  applyEnvironment(node, {
    stackName: "files-staging",
    pages: "none",
    visitors: true,
    keepData: false,
    requestsPerSecond: 600,
    allowAddresses: ["10.1.0.0/16", "10.2.0.1"],
    atOnce: { media: 45, webhooks: 100 },
  });
  const flags = nodeOf({
    stackName: "files-staging",
    pages: "none",
    visitors: "true",
    keepData: "false",
    requestsPerSecond: "600",
    allowAddresses: "10.1.0.0/16,10.2.0.1",
    atOnce: "media:45,webhooks:100",
  });
  expect(readSettings(node)).toEqual(readSettings(flags));
  expect(readSettings(node)).toMatchObject({
    stackName: "files-staging",
    pages: false,
    capacity: { requestsBurst: 1_200 },
  });
});

test("the command line overrides the environment", () => {
  const node = nodeOf({ visitors: "false" });
  applyEnvironment(node, { visitors: true, dashboard: true });
  expect(readSettings(node)).toMatchObject({ visitors: false, dashboard: true });
});

test("an invalid value of an environment is rejected like one of the command line", () => {
  const node = nodeOf();
  applyEnvironment(node, { alarmEmail: "nobody" });
  expect(() => readSettings(node)).toThrow(/alarmEmail="nobody"/);
});

test("the default environment has no settings, and an unknown one is rejected with all names", async () => {
  expect(await environmentOf(nodeOf())).toEqual({});
  await expect(environmentOf(nodeOf({ environment: "../app" }))).rejects.toThrow(
    /environment="..\/app": must be a file in infra\/environments: default, production, staging\./,
  );
});

test.each(["default", "staging", "production"])("the environment %s has valid settings", async (environment) => {
  const node = nodeOf({ environment });
  applyEnvironment(node, await environmentOf(node));
  expect(() => rejectUnknown(node)).not.toThrow();
  expect(readSettings(node).stackName).toBe(environment === "default" ? "anyform" : `anyform-${environment}`);
});

test("a misspelled setting is rejected, on the command line and in a file", () => {
  expect(() => rejectUnknown(nodeOf({ vistors: "true" }))).toThrow(/vistors="true": must be removed: .* visitors,/);
  const node = nodeOf();
  applyEnvironment(node, { atonce: { media: 45 } } as never);
  expect(() => rejectUnknown(node)).toThrow(/atonce="media:45"/);
});

test("flags of CDK are not settings", () => {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  expect(() => rejectUnknown(nodeOf({ ...context, environment: "default" }))).not.toThrow();
});

test("an environment can have every documented setting", () => {
  const table = /^## Settings$.*?^\| setting (.*?)\n\n/ms.exec(readFileSync("docs/aws.md", "utf8"))?.[1] ?? "";
  const documented = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const typed = [...readFileSync("infra/environment.ts", "utf8").matchAll(/^ {2}readonly (\w+)\?:/gm)].map(
    ([, name]) => name,
  );
  expect(documented.length).toBeGreaterThan(10);
  expect(typed.sort()).toEqual(documented.sort());
});
