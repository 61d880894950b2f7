import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import { metricNames, metricOf } from "../../functions/domain/metrics.ts";
import { operationsOf } from "../../infra/api/operations.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { combinations } from "../../infra/monitoring/overview-metrics.ts";
import { EVERYTHING, nameOf, synthesise } from "./support/synthesise.ts";

/** The optional dashboard in the template: it shows all resources of the stack, and only existing ones. */

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly unknown[][];
  };
}

let template: Template;
let widgets: readonly Widget[];
let metrics: readonly (readonly string[])[];

/** @returns the text of a template value, with values that are only known after deployment as `{logical id}` */
const textOf = (value: unknown): string => {
  if (typeof value === "string") {
    return value;
  }
  const {
    Ref,
    "Fn::GetAtt": attribute,
    "Fn::Join": join,
  } = value as Record<string, unknown> & {
    readonly "Fn::GetAtt"?: readonly string[];
    readonly "Fn::Join"?: readonly [string, readonly unknown[]];
  };
  return join ? join[1].map(textOf).join(join[0]) : `{${Ref ?? attribute?.[0]}}`;
};

beforeAll(() => {
  template = synthesise(EVERYTHING);
  const [dashboard] = Object.values(template.findResources("AWS::CloudWatch::Dashboard"));
  ({ widgets } = JSON.parse(textOf(dashboard?.Properties.DashboardBody)));
  metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []).map((row) => row.filter(isText));
});

const isText = (part: unknown): part is string => typeof part === "string";

const idsOf = (type: string): string[] => Object.keys(template.findResources(type));

/** @returns the logical IDs and names that metrics of a namespace have as this dimension */
const shown = (namespace: string, dimension: string): string[] =>
  metrics
    .filter(([first]) => first === namespace)
    .map((row) => (row.at(row.indexOf(dimension) + 1) ?? "").replace(/^\{|\}$/g, ""));

describe("the dashboard shows", () => {
  test("every queue", () => {
    const expected = idsOf("AWS::SQS::Queue");
    expect(expected.length).toBeGreaterThan(10);
    expect([...new Set(shown("AWS/SQS", "QueueName"))].sort()).toEqual(expected.sort());
  });

  test("every function except those for unknown paths and deployments, the check, and the one that only convert-page calls", () => {
    const left = [
      "fallback",
      "deploy-site",
      "check-service",
      "open-page",
      ...operationsOf("accounts").map(({ id }) => bundleName(id)),
    ];
    const functions = Object.entries(template.findResources("AWS::Lambda::Function"))
      .filter(([, { Properties }]) => !left.includes(nameOf(Properties)))
      .map(([id]) => id);
    expect(functions.length).toBeGreaterThan(operationsOf("service").length);
    expect([...new Set(shown("AWS/Lambda", "FunctionName"))].sort()).toEqual(functions.sort());
  });

  test("the functions of the stack of accounts, by the start of their names", () => {
    const searches = widgets
      .flatMap(({ properties }) => properties.metrics ?? [])
      .flatMap(([first]) => ((first as { readonly expression?: string }).expression ?? "").match(/^SEARCH.*/) ?? []);
    expect(searches.map((search) => /MetricName="(\w+)" FunctionName="anyform-accounts"/.exec(search)?.[1])).toEqual([
      "Invocations",
      "Duration",
      "Errors",
      "Throttles",
    ]);
  });

  test("every table and the bucket of files; the bucket of the pages only changes with deployments", () => {
    expect([...new Set(shown("AWS/DynamoDB", "TableName"))].sort()).toEqual(idsOf("AWS::DynamoDB::GlobalTable").sort());
    const buckets = idsOf("AWS::S3::Bucket").filter((id) => !id.startsWith("Pages"));
    expect([...new Set(shown("AWS/S3", "BucketName"))]).toEqual(buckets);
  });

  test.each(laneIds)("the lane %s, in a separate row", (lane) => {
    const at = widgets.findIndex(({ properties }) => properties.markdown === `## The lane ${lane}`);
    const row = widgets.slice(at + 1, at + 5);
    expect(row.map(({ type }) => type)).toEqual(["metric", "metric", "metric", "metric"]);
    expect(JSON.stringify(row)).toContain("ApproximateAgeOfOldestMessage");
    expect(JSON.stringify(row)).toContain("failed_service");
  });

  test("every alarm that exists in all regions, at the top", () => {
    const alarms = widgets[0]?.properties.alarms?.map((arn) => arn.replace(/^\{|\}$/g, ""));
    const everywhere = Object.entries(template.findResources("AWS::CloudWatch::Alarm"))
      .filter(([, { Condition }]) => Condition === undefined)
      .map(([id]) => id);
    expect([...(alarms ?? [])].sort()).toEqual(everywhere.sort());
  });
});

describe("the custom metrics", () => {
  const sent = metricNames.flatMap((name) => {
    const { cloud } = metricOf(name);
    return combinations(name).map((values) => [cloud?.name, ...Object.entries(values).sort().flat()].join(" "));
  });
  const paid = sent.filter((text) => text !== "");

  test("are all shown, with exactly the names and dimensions that the functions write", () => {
    const requested = metrics
      .filter(([namespace]) => namespace === "anyform")
      .map(([, name, ...dimensions]) => {
        const pairs = Array.from({ length: dimensions.length / 2 }, (_, index) =>
          dimensions.slice(2 * index, 2 * index + 2),
        );
        return [name, ...pairs.sort().flat()].join(" ");
      });
    expect([...new Set(requested)].sort()).toEqual(paid.sort());
  });

  test("use the stack's name as namespace, which every function receives", () => {
    for (const { Properties } of Object.values(template.findResources("AWS::Lambda::Function"))) {
      expect(Properties.Environment.Variables.ANYFORM_METRICS_NAMESPACE).toBe("anyform");
    }
  });
});

test("no widgets overlap, and each row fits the page", () => {
  const cells = widgets.flatMap(({ x, y, width, height }) =>
    Array.from({ length: width * height }, (_, index) => `${x + (index % width)},${y + Math.floor(index / width)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(widgets.every(({ x, width }) => x + width <= 24)).toBe(true);
});

test("there is no dashboard by default", () => {
  synthesise().resourceCountIs("AWS::CloudWatch::Dashboard", 0);
});
