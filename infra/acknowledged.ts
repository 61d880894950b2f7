import { Stack, Validations } from "aws-cdk-lib";
import type { Bucket, CfnBucket, IBucket } from "aws-cdk-lib/aws-s3";
import type { IConstruct } from "constructs";
import type { Api } from "./api/api.ts";
import type { Rollout } from "./api/rollout.ts";
import type { Data } from "./data.ts";
import type { Pages } from "./edge/pages.ts";
import { prefixes } from "./files.ts";
import type { Films } from "./workers/films.ts";

/** The parts of the service with intentional cdk-nag findings. */
export interface Acknowledging {
  readonly service: Stack;
  readonly data: Data;
  /** The bucket of files, as the service knows it. */
  readonly bucket: IBucket;
  readonly api: Api;
  /** @default none */
  readonly pages: Pages | undefined;
  readonly converters: readonly IConstruct[];
  readonly announcements: IConstruct;
  /** @default no containers */
  readonly films: Films | undefined;
  /** @default all functions are deployed at once */
  readonly rollout: Rollout | undefined;
  readonly tracing: boolean;
}

/**
 * Accepted findings of cdk-nag's AwsSolutions, each with its reason and limited to the affected resource. Any other
 * finding fails `cdk synth`.
 */
export const acknowledgeFindings = ({
  service,
  data,
  bucket,
  api,
  pages,
  converters,
  announcements,
  films,
  rollout,
  tracing,
}: Acknowledging): void => {
  acknowledge(
    data,
    "S1",
    "There is no public access to log: all requests come from the service's roles and signed URLs.",
  );
  acknowledge(
    data.storageSecret,
    "SMG4",
    "Another value would make the credentials of all storages unreadable: it is replaced with them only.",
  );
  if (data.edgeSecret !== undefined) {
    const reason = "Only CloudFront and the API use it. To rotate it, replace the secret and deploy.";
    acknowledge(data.edgeSecret, "SMG4", reason);
  }
  if (pages !== undefined) {
    acknowledgePages(pages);
  }
  acknowledge(
    announcements,
    "SQS3",
    "It receives the dead letters of a stream, which has no source queue. An alarm fires when a message arrives.",
  );
  acknowledgeShared({ stack: service, api, bucket, tracing });
  if (films !== undefined) {
    acknowledge(
      films.cluster,
      "ECS4",
      "The metrics of jobs and queues show the same, and Container Insights costs more.",
    );
    acknowledge(films.task, "ECS2", "The variables are names of resources; there is no secret among them.");
    acknowledge(
      films.task,
      "IAM5[Resource::*]",
      "A token of the image registry belongs to no resource; the role that loads the image is not the converter's.",
    );
  }
  if (rollout !== undefined) {
    const policy = "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]";
    acknowledge(rollout.role, policy, "AWS maintains it for exactly this: it moves aliases and reads alarms.");
  }
  for (const converter of converters) {
    const reason =
      "Lambda's network interfaces are not known in advance; the converter's code is denied these actions.";
    acknowledge(converter, "IAM5[Resource::*]", reason);
  }
};

export interface AcknowledgingShared {
  readonly stack: Stack;
  /** Where the routes of the stack are. */
  readonly api: IConstruct;
  /** The bucket of files, as the stack knows it. */
  readonly bucket: IBucket;
  readonly tracing: boolean;
}

/** Accepted findings of each stack with operations. */
export const acknowledgeShared = ({ stack, api, bucket, tracing }: AcknowledgingShared): void => {
  acknowledge(
    api,
    "APIG4",
    "The operations check API keys themselves, so revocation is immediate and errors have the API's format.",
  );
  const name = JSON.stringify(stack.resolve(bucket.bucketName));
  for (const prefix of prefixes) {
    const objects = `IAM5[Resource::arn:<AWS::Partition>:s3:::${name}/${prefix}/*]`;
    acknowledge(stack, objects, "File names are not known in advance; the wildcard is limited to their prefix.");
  }
  if (tracing) {
    acknowledge(stack, "IAM5[Resource::*]", "X-Ray has no resources.");
  }
};

/** Accepted findings of the distribution for pages, API and results. */
const acknowledgePages = ({ bucket, distribution, deploySite }: Pages): void => {
  acknowledge(bucket, "S1", "All requests come from CloudFront and the deployment function; the files are public.");
  acknowledge(
    deploySite,
    `IAM5[Resource::<${logicalId(bucket)}.Arn>/*]`,
    "A build names its files by their content; the bucket holds nothing else.",
  );
  acknowledge(distribution, "CFR1", "The service is public.");
  acknowledge(
    distribution,
    "CFR2",
    "Optional, because it costs more than the idle service: the setting requestsPerClient adds a web ACL.",
  );
  acknowledge(
    distribution,
    "CFR3",
    "The log would contain download paths with secret tokens; the API writes a log without them.",
  );
  acknowledge(
    distribution,
    "CFR4",
    "The TLS version of the default CloudFront domain is fixed; a custom domain requires TLS 1.2.",
  );
  Validations.of(distribution).acknowledge({
    id: "Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk",
    reason: "No path leads to the bucket's root: the distribution has a default page, and no query reaches the bucket.",
  });
  acknowledge(
    distribution,
    "CFR7",
    "Results use URLs that are signed for S3; a CloudFront signature would conflict with them.",
  );
};

const acknowledge = (where: IConstruct, rule: string, reason: string): void => {
  Validations.of(where).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
};

const logicalId = (bucket: Bucket): string => Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
