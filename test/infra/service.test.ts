import { readFileSync } from "node:fs";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AnyOperation,
  MEMORY_MEGABYTES,
  servedMethods,
  servedPaths,
  TIMEOUT_SECONDS,
} from "../../functions/api/operation.ts";
import { routes } from "../../functions/api/routes.ts";
import { tables } from "../../functions/domain/tables.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { usualLanes } from "./support/lanes.ts";
import { functionIn, nameOf, sectionOf, synthesise } from "./support/synthesise.ts";

/**
 * The fallback for unknown paths, the event functions, and the one that deploys pages, in addition to the converters.
 */
const OTHER_FUNCTIONS = 1 + 8 + 1;

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const propertiesOf = (type: string, has: (id: string) => boolean = () => true) =>
  Object.entries(template.findResources(type))
    .filter(([id]) => has(id))
    .map(([, { Properties }]) => Properties);

describe("the API", () => {
  test.each(
    routes.flatMap((route: AnyOperation) =>
      servedPaths(route).flatMap((path) =>
        servedMethods(route).map((method) => ({ ...route, key: `${method} ${path}` })),
      ),
    ),
  )(
    "$key goes to a separate function with the memory and timeout of its operation",
    ({ key, id, memoryMegabytes, timeoutSeconds }) => {
      const [route] = Object.values(
        template.findResources("AWS::ApiGatewayV2::Route", { Properties: { RouteKey: key } }),
      );
      const integration = route?.Properties.Target["Fn::Join"][1][1].Ref;
      const target = template.toJSON().Resources[integration].Properties;
      const { Properties } = template.toJSON().Resources[target.IntegrationUri["Fn::GetAtt"][0]];
      expect(target.PayloadFormatVersion).toBe("2.0");
      expect(nameOf(Properties)).toBe(bundleName(id));
      expect(Properties).toMatchObject({
        MemorySize: memoryMegabytes ?? MEMORY_MEGABYTES,
        Timeout: timeoutSeconds ?? TIMEOUT_SECONDS,
      });
    },
  );

  test("has no routes except those of the table and the fallback", () => {
    const keys = propertiesOf("AWS::ApiGatewayV2::Route").map(({ RouteKey }) => RouteKey);
    const listed = routes.flatMap((route: AnyOperation) =>
      servedPaths(route).flatMap((path) => servedMethods(route).map((method) => `${method} ${path}`)),
    );
    expect(keys.sort()).toEqual(["$default", ...listed].sort());
  });

  test("limits requests per second, and logs each as JSON without its path, which may contain a token", () => {
    const [stage] = propertiesOf("AWS::ApiGatewayV2::Stage");
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
    const format = JSON.parse(stage.AccessLogSettings.Format);
    expect(format).toMatchObject({ route: "$context.routeKey", status: "$context.status" });
    expect(Object.values(format)).not.toContain("$context.path");
  });
});

describe("every function", () => {
  test("runs Node 24 or our image on arm64, knows the lanes, and logs JSON to the log of its kind", () => {
    const functions = propertiesOf("AWS::Lambda::Function");
    expect(functions).toHaveLength(routes.length + usualLanes.length + OTHER_FUNCTIONS);
    for (const each of functions) {
      const code = each.PackageType === "Image" ? { Code: {} } : { Runtime: "nodejs24.x", Handler: "index.handler" };
      expect(each).toMatchObject({ ...code, Architectures: ["arm64"] });
      expect(each.Environment.Variables.ANYFORM_LANES).toBe(usualLanes.join(","));
      expect(each.LoggingConfig).toMatchObject({ LogFormat: "JSON", LogGroup: { Ref: expect.any(String) } });
    }
    const groupOf = (name: string): string => functionIn(template, name).Properties.LoggingConfig.LogGroup.Ref;
    const operations = [...routes.map(({ id }) => bundleName(id)), "fallback"];
    expect(new Set(operations.map(groupOf))).toEqual(new Set([groupOf("get-job")]));
    expect(new Set(usualLanes.map((lane) => groupOf(`convert-file-${lane}`))).size).toBe(1);
    const groups = ["get-job", "convert-file-fast", "sweep-jobs"].map(groupOf);
    expect(new Set(groups).size).toBe(groups.length);
    expect(new Set(functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref))).toEqual(new Set(groups));
  });

  test("keeps its log for 30 days, like every log of the stack", () => {
    for (const group of propertiesOf("AWS::Logs::LogGroup")) {
      expect(group.RetentionInDays).toBe(30);
    }
  });
});

describe("the tables", () => {
  test.each(Object.entries(tables))("%s: its keys and indexes are those that the adapters read", (name, table) => {
    const attribute = (key: { name: string }, role: string) => ({ AttributeName: key.name, KeyType: role });
    const keys = (of: { partitionKey: { name: string }; sortKey?: { name: string } }) => [
      attribute(of.partitionKey, "HASH"),
      ...(of.sortKey ? [attribute(of.sortKey, "RANGE")] : []),
    ];
    const indexes = table.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keys(index),
      Projection: { ProjectionType: index.projection === "all" ? "ALL" : "KEYS_ONLY" },
    }));
    const [of, ...others] = propertiesOf("AWS::DynamoDB::GlobalTable", (id) => id.startsWith(`Tables${name}`));
    expect(others).toEqual([]);
    expect(of).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys(table),
    });
    expect(of.GlobalSecondaryIndexes ?? []).toMatchObject(indexes);
    expect(of.TimeToLiveSpecification).toEqual(
      "ttl" in table ? { AttributeName: table.ttl, Enabled: true } : undefined,
    );
  });

  test("support point-in-time recovery, outlive the stack, and cannot be deleted", () => {
    template.allResources("AWS::DynamoDB::GlobalTable", {
      DeletionPolicy: "Retain",
      Properties: {
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });
});

describe("the bucket", () => {
  const filesBuckets = () =>
    propertiesOf("AWS::S3::Bucket").filter(({ LifecycleConfiguration }) => LifecycleConfiguration);

  test("is private, encrypted, and only accepts TLS", () => {
    template.hasResourceProperties("AWS::S3::Bucket", {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
    });
    template.hasResourceProperties("AWS::S3::BucketPolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        ]),
      },
    });
  });

  test("deletes uploads and results after two days, and incomplete uploads after one", () => {
    const [bucket] = filesBuckets();
    expect(bucket.LifecycleConfiguration.Rules).toEqual([
      { Id: "uploads", Prefix: "uploads/", ExpirationInDays: 2, Status: "Enabled" },
      { Id: "results", Prefix: "results/", ExpirationInDays: 2, Status: "Enabled" },
      { Id: "unfinished-uploads", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: "Enabled" },
    ]);
  });

  test("accepts parts from browsers on any page, and exposes their ETags", () => {
    const [bucket] = filesBuckets();
    expect(bucket.CorsConfiguration.CorsRules).toEqual([
      {
        AllowedOrigins: ["*"],
        AllowedMethods: ["PUT", "GET", "HEAD"],
        AllowedHeaders: ["*"],
        ExposedHeaders: ["Accept-Ranges", "Content-Disposition", "Content-Length", "Content-Range", "ETag"],
        MaxAge: 3_600,
      },
    ]);
  });
});

describe("the alarms", () => {
  const headings = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(" ", "-"),
  );

  test("link to an existing section of the runbook", () => {
    for (const alarm of propertiesOf("AWS::CloudWatch::Alarm")) {
      expect(headings, alarm.AlarmDescription).toContain(sectionOf(alarm));
    }
  });

  /** @returns the metrics of an alarm, with the logical ID of the queue, function or distribution */
  const watchedBy = (section: string): readonly string[] => {
    const alarm = propertiesOf("AWS::CloudWatch::Alarm").find((each) => sectionOf(each) === section);
    const metrics = alarm?.Metrics?.flatMap(({ MetricStat }: { MetricStat?: object }) => MetricStat ?? []) ?? [
      { Metric: alarm, Stat: alarm?.Statistic ?? alarm?.ExtendedStatistic },
    ];
    return metrics.map(({ Metric, Stat }: { Metric: WatchedMetric; Stat: string }) => {
      const of = Metric.Dimensions?.map(({ Value }) => JSON.stringify(Value)).join(" ") ?? "all";
      return `${Metric.Namespace} ${Metric.MetricName} ${Stat} ${of}`;
    });
  };

  interface WatchedMetric {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Value: unknown }[];
  }

  test("watch the dead letters of every queue and of the change stream", () => {
    const letters = Object.keys(template.findResources("AWS::SQS::Queue")).filter((id) => id.includes("DeadLetters"));
    const watched = watchedBy("dead-letters");
    expect(letters.length).toBeGreaterThan(4);
    expect(watched).toHaveLength(letters.length);
    for (const id of letters) {
      expect(watched.some((metric) => metric.includes(id))).toBe(true);
    }
  });

  test("watch the age of every queue that a client waits for, relative to its maximum", () => {
    const watched = watchedBy("oldest-message");
    const queues = Object.keys(template.findResources("AWS::SQS::Queue")).filter((id) => !id.includes("DeadLetters"));
    const waited = queues.filter((id) => !/erasures|imports/.test(id));
    for (const id of waited) {
      expect(watched.some((metric) => metric.includes(id) && metric.includes("AgeOfOldestMessage"))).toBe(true);
    }
    expect(watched).toHaveLength(waited.length + 1);
    const alarm = propertiesOf("AWS::CloudWatch::Alarm").find((each) => sectionOf(each) === "oldest-message");
    expect(alarm?.Threshold).toBe(1);
    const expressions = alarm?.Metrics.flatMap(({ Expression }: { Expression?: string }) => Expression ?? []);
    expect(expressions).toEqual([`MAX([${watched.map((metric, index) => `m${index}/${maxOf(metric)}`).join(",")}])`]);
  });

  /** Seconds for queues, and milliseconds for the stream (docs/runbook.md, "Oldest message"). */
  const maxOf = (metric: string): number => {
    const found = [
      [/IteratorAge/, 600_000],
      [/Tasks/, 1_800],
      [/media/, 3_060],
      [/documents/, 1_440],
      [/./, 900],
    ].find(([pattern]) => (pattern as RegExp).test(metric));
    return found?.[1] as number;
  };

  test("watch server errors, throttles, slow responses, the pages and the sweeper", () => {
    const others = [
      "server-errors",
      "throttled-requests",
      "throttles",
      "slow-answers",
      "pages-fail",
      "sweeper-stopped",
    ];
    expect(others.flatMap(watchedBy).map((metric) => metric.split(" ").slice(0, 3).join(" "))).toEqual([
      "anyform serverErrors Sum",
      "anyform throttledRequests Sum",
      "AWS/Lambda Throttles Sum",
      "AWS/Lambda Duration p99",
      "AWS/CloudFront 5xxErrorRate Average",
      "AWS/Lambda Errors Sum",
    ]);
    expect(propertiesOf("AWS::CloudWatch::Alarm")).toHaveLength(others.length + 2);
  });
});

test("throttled requests are log entries of the API with 429 that no function has answered", () => {
  template.hasResourceProperties("AWS::Logs::MetricFilter", {
    FilterPattern: '{ ($.status = "429") && ($.functionMilliseconds = "-") }',
    MetricTransformations: [{ MetricName: "throttledRequests", MetricNamespace: "anyform", MetricValue: "1" }],
  });
});

test("server errors are log entries of the API with status 500 or more, except 501 (not enabled)", () => {
  template.hasResourceProperties("AWS::Logs::MetricFilter", {
    FilterPattern: '{ ($.status = "5*") && ($.status != "501") }',
    MetricTransformations: [{ MetricName: "serverErrors", MetricNamespace: "anyform", MetricValue: "1" }],
  });
});

test("the outputs contain what the operator's tools need", () => {
  for (const name of ["PagesUrl", "ApiUrl", "BucketName", "JobsTable", "KeysTable", "QuotasTable"]) {
    template.hasOutput(name, {});
  }
});
