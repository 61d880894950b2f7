import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { idleCost, optionalCost, STANDING } from "../bench/cloud/idle.ts";
import { PRICES } from "../bench/cloud/prices.ts";
import { routes } from "../functions/api/routes.ts";
import { cloudMetricCount, metricNames, metricOf } from "../functions/domain/metrics.ts";
import { exposedName } from "../local/metrics/prometheus.ts";
import { nameOf, stacksWith, synthesise } from "./infra/support/synthesise.ts";

/** Metrics, rules and costs in the operators' documentation match the tables and the template. */

const runbook = ["runbook", "aws", "operations"].map((page) => readFileSync(`docs/${page}.md`, "utf8")).join("\n");

const blocks = (language: string): string[] =>
  [...runbook.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly annotations: { readonly summary: string };
}

const documents = blocks("yaml").map(
  (text) => load(text) as { readonly groups?: readonly { readonly rules: readonly Rule[] }[] },
);
const rules = documents.flatMap(({ groups = [] }) => groups.flatMap((group) => group.rules));

/** The Prometheus names of each metric, and the values of its labels. */
const series = new Map(
  metricNames.flatMap((name) => {
    const { kind, labels } = metricOf(name);
    const suffixes = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    return suffixes.map((suffix) => [`${exposedName(name)}${suffix}`, labels] as const);
  }),
);

const operations: readonly string[] = routes.map(({ id }) => id);

describe("the example rules", () => {
  it("have a unique name, an expression, a description, and valid Prometheus durations", () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, annotations, for: time = "0s" } of rules) {
      expect(alert).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
      expect(time).toMatch(/^\d+[smh]$/);
    }
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr] as const))("%s uses existing series", (_, expr) => {
    const asked = [...expr.matchAll(/\b(anyform_\w+)(?:\{([^}]*)\})?/g)];
    expect(asked.length > 0 || expr.startsWith("up{")).toBe(true);
    for (const [, name = "", matchers = ""] of asked) {
      expect([...series.keys()]).toContain(name);
      for (const [, label = "", value = ""] of matchers.matchAll(/(\w+)="([^"]*)"/g)) {
        const values = series.get(name)?.[label];
        expect(values === "operations" ? operations : values, `${name} ${label}`).toContain(value);
      }
    }
    expect([...expr].filter((sign) => sign === "(").length).toBe([...expr].filter((sign) => sign === ")").length);
  });

  it("have a configuration that loads them and scrapes this service", () => {
    const [configuration] = documents;
    expect(configuration).toMatchObject({
      scrape_configs: [{ job_name: "anyform", static_configs: [{ targets: ["127.0.0.1:8080"] }] }],
      rule_files: ["anyform.yml"],
    });
  });
});

describe("the AWS sections", () => {
  let template: ReturnType<typeof synthesise>;
  beforeAll(() => {
    template = synthesise();
  });

  it("have the cost of each resource without use, and of the paid metrics", () => {
    const table = /## Cost without use\n(.*?)\n\nTables/s.exec(runbook)?.[1] ?? "";
    const documented = [...table.matchAll(/^\| \**[^|]+? \| \**(\d+\.\d\d)\** \|$/gm)].map(([, usd]) => usd);
    const costs = idleCost(STANDING, PRICES)
      .map(([, usd]) => usd)
      .filter((usd) => usd > 0);
    const total = costs.reduce((sum, usd) => sum + usd, 0);
    expect(documented).toEqual([...costs, total].map((usd) => usd.toFixed(2)));
    const optional = /Optional features add, per month:\n(.*?)\n\n/s.exec(runbook)?.[1] ?? "";
    expect([...optional.matchAll(/\| (\d+\.\d\d) \|$/gm)].map(([, usd]) => usd)).toEqual(
      optionalCost(PRICES).map(([, usd]) => usd.toFixed(2)),
    );
    const words = ["eight", "nine", "ten", "eleven", "twelve"];
    expect(table).toContain(`the ${words[STANDING.queues - 8]} queues`);
    expect(table).toContain(`${STANDING.alarmMetrics} metrics at 0.10`);
    const metrics = cloudMetricCount();
    expect(runbook.replaceAll("\n", " ")).toContain(
      `our ${metrics} metrics add ${(metrics * 0.3).toFixed(2)} (${metrics} at 0.30`,
    );
  });

  it("list exactly our custom metrics", () => {
    const list = /are in the namespace `anyform`: ([^.]*)\./s.exec(runbook)?.[1] ?? "";
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(metricNames.flatMap((name) => metricOf(name).cloud?.name ?? []).sort());
  });

  it("name only existing functions", () => {
    const functions = Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) =>
      nameOf(Properties),
    );
    const named = [...runbook.matchAll(/\bnamed ([a-z-]+)(?!-?LANE)(?=[\s)`])/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !functions.includes(name))).toEqual([]);
  });

  it("name only existing outputs, and every log that the stack has", () => {
    const { data, service } = stacksWith();
    const named = [...runbook.matchAll(/\boutput (data|service) (\w+)/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, stack, name] of named) {
      expect(Object.keys((stack === "data" ? data : service).toJSON().Outputs)).toContain(name);
    }
    const logs = [...runbook.matchAll(/^\| `([A-Z]\w*Log)` \|/gm)].map(([, name]) => name);
    const outputs = Object.keys(service.toJSON().Outputs).filter((name) => name.endsWith("Log"));
    expect(logs.sort()).toEqual(outputs.sort());
  });
});
