import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { lanes } from "../../functions/domain/conversions/lanes.ts";
import { dashboardRights } from "./dashboard-rights.ts";
import { usualLanes } from "./support/lanes.ts";
import { allowedTo, pairs, type Statement, statementsIn } from "./support/role-rights.ts";
import { functionIn, nameOf, synthesise } from "./support/synthesise.ts";

/** Maximum of Lambda (AWS Lambda Developer Guide, "Lambda quotas"). */
const SCRATCH_BYTES_MAX = 10_240 * 1_048_576;

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const resources = () => template.toJSON().Resources;
const functionNamed = (name: string) => functionIn(template, name).Properties;

const allowed = (name: string): readonly string[] => allowedTo(template, name);
const statements = (): readonly Statement[] => statementsIn(template);

/**
 * What every operation with a key or a session does: it reads the key or session, records its use, counts the requests
 * of the second, and logs the request.
 */
const KEY = "dynamodb:GetItem on keys";
const SESSION = "dynamodb:UpdateItem on keys: kind lastUsedAt pk";
const SLOTS = "dynamodb:UpdateItem on quotas: accountId period second taken";
const SECOND = "dynamodb:UpdateItem on quotas: accountId entry period second taken ttl usedAt";
const SECRETS = `${SESSION} webhookSecrets`;
const DAYS = Array.from({ length: 31 }, (_, index) => `${index + 1}x`).join(" ");
const JOB = "dynamodb:GetItem on jobs";
const LANES = usualLanes.map((lane) => `sqs:SendMessage on ${lane}Queue`);
const LIST_PARTS = "s3:ListMultipartUploadParts on FilesBucket/uploads/*";
const MONTH = ["dynamodb:Query on quotas", "dynamodb:UpdateItem on quotas"];

describe("roles", () => {
  const written: readonly (readonly [string, readonly string[]])[] = [
    ...["list-formats", "get-conversion", "get-openapi", "get-health", "fallback"].map((name): [string, string[]] => [
      name,
      [],
    ]),
    ["get-job", [KEY, SESSION, SECOND, JOB]],
    ["job-events", [KEY, SESSION, SECOND, JOB]],
    ["list-jobs", [KEY, SESSION, SECOND, JOB, "dynamodb:Query on jobs/index/by-account"]],
    [
      "create-upload",
      [
        KEY,
        SESSION,
        ...MONTH,
        JOB,
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on jobs: expiresAt holder kind pk ttl",
        "s3:AbortMultipartUpload on FilesBucket/uploads/*",
        "s3:DeleteObject on FilesBucket/uploads/*",
        LIST_PARTS,
        "s3:PutObject on FilesBucket/uploads/*",
        "sqs:SendMessage on importsQueue",
      ],
    ],
    ["get-upload", [KEY, SESSION, SECOND, JOB, LIST_PARTS, "s3:PutObject on FilesBucket/uploads/*"]],
    [
      "complete-upload",
      [
        KEY,
        SESSION,
        SECOND,
        JOB,
        "dynamodb:UpdateItem on jobs",
        "s3:GetObject on FilesBucket/uploads/*",
        LIST_PARTS,
        "sqs:SendMessage on checksQueue",
      ],
    ],
    [
      "create-job",
      [
        KEY,
        SECRETS,
        ...MONTH,
        JOB,
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "s3:DeleteObject on FilesBucket/uploads/*",
        "s3:GetObject on FilesBucket/results/*",
        "s3:PutObject on FilesBucket/uploads/*",
        "sqs:SendMessage on erasuresQueue",
        ...LANES,
      ],
    ],
    ["create-batch", [KEY, SECRETS, ...MONTH, JOB, "dynamodb:PutItem on jobs", ...LANES]],
    [
      "delete-job",
      [
        KEY,
        SESSION,
        `${SECOND} bytesIn bytesOut jobs ${DAYS}`,
        JOB,
        "dynamodb:DeleteItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "s3:DeleteObject on FilesBucket/results/*",
      ],
    ],
    ["create-pipeline", [KEY, SECRETS, ...MONTH, JOB, "dynamodb:PutItem on jobs", ...LANES]],
    ["get-pipeline", [KEY, SESSION, SECOND, JOB]],
    ["pipeline-events", [KEY, SESSION, SECOND, JOB]],
    ["list-pipelines", [KEY, SESSION, SECOND, JOB, "dynamodb:Query on jobs/index/by-account"]],
    ["cancel-pipeline", [KEY, SESSION, `${SECOND} bytesIn bytesOut jobs ${DAYS}`, JOB, "dynamodb:UpdateItem on jobs"]],
    [
      "delete-pipeline",
      [
        KEY,
        SESSION,
        `${SECOND} bytesIn bytesOut jobs ${DAYS}`,
        JOB,
        "dynamodb:DeleteItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "s3:DeleteObject on FilesBucket/results/*",
      ],
    ],
    ["get-preset", [KEY, SESSION, SECOND]],
    ["list-presets", [KEY, SESSION, SECOND, "dynamodb:Query on keys/index/by-account"]],
    ["save-preset", [KEY, SESSION, SECOND, "dynamodb:PutItem on keys", "dynamodb:Query on keys/index/by-account"]],
    ["delete-preset", [KEY, SESSION, SECOND, "dynamodb:DeleteItem on keys"]],
    ["get-status", ["dynamodb:Query on quotas: status"]],
    ["list-storages", [KEY, SESSION, SECOND, "dynamodb:Query on keys/index/by-account"]],
    ["save-storage", [KEY, SESSION, SECOND, "dynamodb:PutItem on keys", "dynamodb:Query on keys/index/by-account"]],
    ["delete-storage", [KEY, SESSION, SECOND, "dynamodb:DeleteItem on keys"]],
    ["test-storage", [KEY, SESSION, SECOND]],
    [
      "delete-account",
      [
        KEY,
        `${SESSION} accounts revokedAt`,
        `${SECOND} bytesIn bytesOut jobs ${DAYS}`,
        JOB,
        "dynamodb:DeleteItem on jobs",
        "dynamodb:DeleteItem on keys",
        "dynamodb:DeleteItem on quotas",
        "dynamodb:Query on jobs/index/by-account",
        "dynamodb:Query on keys/index/by-account",
        "dynamodb:Query on quotas",
        "dynamodb:UpdateItem on jobs",
        "s3:DeleteObject on FilesBucket/results/*",
        "s3:DeleteObject on FilesBucket/uploads/*",
      ],
    ],
    ["cancel-job", [KEY, SESSION, `${SECOND} bytesIn bytesOut jobs ${DAYS}`, JOB, "dynamodb:UpdateItem on jobs"]],
    [
      "delete-upload",
      [
        KEY,
        SESSION,
        SECOND,
        JOB,
        "dynamodb:Query on jobs/index/by-account",
        "dynamodb:UpdateItem on jobs: expiresAt pk",
        "s3:AbortMultipartUpload on FilesBucket/uploads/*",
        "s3:DeleteObject on FilesBucket/uploads/*",
      ],
    ],
    [
      "download-result",
      [
        KEY,
        SESSION,
        ...MONTH,
        JOB,
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "s3:GetObject on FilesBucket/results/*",
        "sqs:SendMessage on erasuresQueue",
      ],
    ],
    ...dashboardRights,
    ["get-account", [KEY, SESSION, SECOND, "dynamodb:Query on quotas"]],
    ["get-usage", [KEY, SESSION, SECOND, "dynamodb:Query on quotas"]],
    ["get-usage-details", [KEY, SESSION, SECOND, "dynamodb:Query on quotas"]],
    ["list-requests", [KEY, SESSION, SECOND, "dynamodb:Query on quotas"]],
    ["get-request", [KEY, SESSION, SECOND, "dynamodb:GetItem on quotas"]],
    ["list-webhooks", [KEY, SESSION, SECOND, JOB, "dynamodb:Query on jobs/index/by-account"]],
    [
      "redeliver-webhook",
      [KEY, SESSION, SECOND, JOB, "dynamodb:UpdateItem on jobs", "sqs:SendMessage on webhooksQueue"],
    ],
    ["get-webhook-secret", [KEY, SESSION, SECOND]],
    ["rotate-webhook-secret", [KEY, SECOND, SECRETS]],
    ["list-webhook-endpoints", [KEY, SESSION, SECOND]],
    ...["create-webhook-endpoint", "update-webhook-endpoint", "delete-webhook-endpoint", "rotate-endpoint-secret"].map(
      (name): [string, string[]] => [name, [KEY, SECOND, `${SESSION} webhookEndpoints`]],
    ),
    ["test-webhook-endpoint", [KEY, SECRETS, `${SECOND} ttl`]],
    ...usualLanes.map((lane): [string, string[]] => [
      `convert-file-${lane}`,
      [
        "dynamodb:GetItem on jobs",
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "dynamodb:UpdateItem on quotas",
        "s3:DeleteObject on FilesBucket/results/*",
        "s3:GetObject on FilesBucket/uploads/*",
        "s3:PutObject on FilesBucket/results/*",
      ],
    ]),
    [
      "sweep-jobs",
      [
        "dynamodb:DeleteItem on jobs",
        "dynamodb:GetItem on jobs",
        "dynamodb:PutItem on jobs",
        "dynamodb:Query on jobs/index/overdue",
        "dynamodb:UpdateItem on jobs",
        "dynamodb:UpdateItem on quotas",
        ...LANES,
        "sqs:SendMessage on erasuresQueue",
        "sqs:SendMessage on exportsQueue",
        "sqs:SendMessage on webhooksQueue",
      ],
    ],
    [
      "import-upload",
      [
        SLOTS,
        "dynamodb:GetItem on keys: storage#*",
        "sqs:SendMessage on checksQueue",
        "sqs:SendMessage on importsQueue",
        "dynamodb:GetItem on jobs: upl_*",
        "dynamodb:UpdateItem on jobs: upl_*",
        "s3:AbortMultipartUpload on FilesBucket/uploads/*",
        "s3:DeleteObject on FilesBucket/uploads/*",
        "s3:GetObject on FilesBucket/uploads/*",
        LIST_PARTS,
        "s3:PutObject on FilesBucket/uploads/*",
      ],
    ],
    [
      "deliver-webhook",
      [
        SLOTS,
        "dynamodb:GetItem on jobs: mai_* msg_*",
        "dynamodb:GetItem on keys: acc_*",
        "dynamodb:PutItem on jobs: mai_* msg_*",
        "dynamodb:UpdateItem on jobs: mai_* msg_*",
        "s3:GetObject on FilesBucket/results/*",
        "sqs:SendMessage on webhooksQueue",
      ],
    ],
    [
      "deliver-export",
      [
        SLOTS,
        "dynamodb:GetItem on jobs: exp_* job_*",
        "dynamodb:GetItem on keys: storage#*",
        "dynamodb:UpdateItem on jobs: exp_* job_*",
        "s3:GetObject on FilesBucket/results/*",
        "sqs:SendMessage on exportsQueue",
      ],
    ],
    [
      "announce-end",
      [
        ...LANES,
        ...["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"].map(
          (action) => `dynamodb:${action} on jobs/stream`,
        ),
        ...["DeleteItem", "GetItem", "PutItem", "UpdateItem"].map(
          (action) => `dynamodb:${action} on jobs: exp_* job_* msg_* pip_*`,
        ),
        "dynamodb:UpdateItem on quotas",
        "sqs:SendMessage on DeadLetters",
        "sqs:SendMessage on erasuresQueue",
        "sqs:SendMessage on exportsQueue",
        "sqs:SendMessage on webhooksQueue",
      ],
    ],
    ["erase-files", [JOB, "s3:DeleteObject on FilesBucket/results/*"]],
    [
      "fail-upload",
      [
        "dynamodb:GetItem on jobs: upl_*",
        "dynamodb:UpdateItem on jobs: upl_*",
        "s3:DeleteObject on FilesBucket/uploads/*",
      ],
    ],
    [
      "fail-job",
      ["dynamodb:GetItem on jobs", "dynamodb:UpdateItem on jobs", "dynamodb:UpdateItem on quotas", ...LANES],
    ],
  ];

  test.each(written)("%s has exactly these permissions", (name, expected) => {
    expect(allowed(name)).toEqual([...expected].sort());
  });

  test("of every route and event are listed above", () => {
    const names = Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) =>
      nameOf(Properties),
    );
    expect(new Set(names)).toEqual(new Set(written.map(([name]) => name)));
  });

  test("belong to one function each", () => {
    const roles = Object.values(template.findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties.Role["Fn::GetAtt"][0],
    );
    expect(new Set(roles).size).toBe(roles.length);
  });

  test("have no managed policy and no wildcard in an action, and name their resources, except for network interfaces", () => {
    for (const { Properties } of Object.values(template.findResources("AWS::IAM::Role"))) {
      expect(Properties.ManagedPolicyArns).toBeUndefined();
    }
    const actionsOf = ({ Action }: Statement) => [Action].flat();
    expect(
      statements()
        .flatMap(actionsOf)
        .filter((action) => action.includes("*")),
    ).toEqual([]);
    const anywhere = statements().filter(({ Effect, Resource }) => Effect === "Allow" && Resource === "*");
    expect(
      anywhere.flatMap(actionsOf).filter((action) => !/^ec2:\w+(NetworkInterfaces?|Subnets|IpAddresses)$/.test(action)),
    ).toEqual([]);
  });
});

describe("the converter", () => {
  test("runs without internet access: isolated subnets of two zones, no gateway, only TLS to the endpoints", () => {
    const { SubnetIds, SecurityGroupIds } = functionNamed("convert-file-fast").VpcConfig;
    expect(SubnetIds).toHaveLength(2);
    for (const { Ref } of SubnetIds) {
      expect(resources()[Ref].Properties.MapPublicIpOnLaunch).toBe(false);
    }
    for (const type of ["InternetGateway", "NatGateway", "Route", "EgressOnlyInternetGateway"]) {
      template.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
    const group = resources()[SecurityGroupIds[0]["Fn::GetAtt"][0]].Properties;
    expect(group.SecurityGroupIngress).toBeUndefined();
    expect(group.SecurityGroupEgress).toMatchObject([{ IpProtocol: "tcp", FromPort: 443, ToPort: 443 }]);
  });

  test("can only do through the endpoints what its role allows, with any credentials", () => {
    const endpoints = Object.values(template.findResources("AWS::EC2::VPCEndpoint"));
    expect(endpoints.map(({ Properties }) => Properties.VpcEndpointType)).toEqual(["Gateway", "Gateway"]);
    const statements: Statement[] = endpoints.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements.flatMap(pairs).sort()).toEqual(allowed("convert-file-fast"));
  });

  test("cannot use the permissions for network interfaces that its role needs for Lambda", () => {
    const onInterfaces = statements().filter(({ Action }) => String(Action).startsWith("ec2:"));
    const [denied, given] = ["Deny", "Allow"].map((effect) => onInterfaces.filter(({ Effect }) => Effect === effect));
    expect(given?.map(({ Action }) => Action)).toEqual(denied?.map(({ Action }) => Action));
    expect(denied).toHaveLength(usualLanes.length);
    // Only the requests of a function's own code have this key.
    for (const { Condition } of denied ?? []) {
      expect(Condition).toEqual({ Null: { "lambda:SourceFunctionArn": "false" } });
    }
  });

  test.each(["fast", "data"] as const)("of the lane %s is a ZIP file with its layers, including fonts", (lane) => {
    const { Layers, PackageType, Environment } = functionNamed(`convert-file-${lane}`);
    expect(PackageType).toBeUndefined();
    expect(Layers).toHaveLength(lanes[lane].layers.length);
    expect(Environment.Variables.FONTCONFIG_FILE).toBe("/opt/fonts.conf");
  });

  test.each(["documents", "media"] as const)(
    "of the lane %s is the container image, with its own fonts and no layers",
    (lane) => {
      const { Layers, PackageType, Code, Environment } = functionNamed(`convert-file-${lane}`);
      expect({ Layers, PackageType, Fonts: Environment.Variables.FONTCONFIG_FILE }).toEqual({ PackageType: "Image" });
      expect(Code).toEqual(functionNamed("convert-file-documents").Code);
      expect(Code.ImageUri["Fn::Sub"]).toContain(".dkr.ecr.");
    },
  );

  test.each(usualLanes)(
    "of the lane %s has disk space for the input and three times as much, or Lambda's maximum",
    (lane) => {
      const { EphemeralStorage, MemorySize } = functionNamed(`convert-file-${lane}`);
      const bytes = Math.min(4 * lanes[lane].inputBytesMax, SCRATCH_BYTES_MAX);
      expect(EphemeralStorage.Size * 1_048_576).toBeGreaterThanOrEqual(bytes);
      expect(EphemeralStorage.Size * 1_048_576).toBeLessThanOrEqual(SCRATCH_BYTES_MAX);
      expect(MemorySize).toBe(lanes[lane].memoryMegabytes);
    },
  );
});
