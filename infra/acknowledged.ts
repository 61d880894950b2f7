import { Stack, Validations } from "aws-cdk-lib";
import type { Bucket, CfnBucket } from "aws-cdk-lib/aws-s3";
import type { IConstruct } from "constructs";
import type { Api } from "./api.ts";
import { prefixes } from "./files.ts";
import type { Pages } from "./pages.ts";

/** The parts of the service in which cdk-nag finds something that is meant to be so. */
export interface Acknowledging {
  readonly service: IConstruct;
  readonly bucket: Bucket;
  readonly api: Api;
  /** @default there are none */
  readonly pages: Pages | undefined;
  readonly converters: readonly IConstruct[];
  readonly announcements: IConstruct;
}

/**
 * All findings of cdk-nag's AwsSolutions that we have looked at and keep, each with its reason and only where it is
 * meant. Any other finding fails `cdk synth`.
 */
export const acknowledgeFindings = ({
  service,
  bucket,
  api,
  pages,
  converters,
  announcements,
}: Acknowledging): void => {
  acknowledge(bucket, "S1", "No public access exists to be logged: all requests come from roles and URLs of ours.");
  acknowledge(
    api,
    "APIG4",
    "The operations check API keys themselves: at once on revocation, with errors of our form.",
  );
  if (api.edgeSecret !== undefined) {
    const reason = "Two of our own sides know it; a new one comes by replacing the secret and deploying.";
    acknowledge(api.edgeSecret, "SMG4", reason);
  }
  if (pages !== undefined) {
    acknowledgePages(pages);
  }
  acknowledge(
    announcements,
    "SQS3",
    "It holds the dead letters of a stream, of which no queue knows; someone is called when there is one.",
  );
  for (const prefix of prefixes) {
    const objects = `IAM5[Resource::<${logicalId(bucket)}.Arn>/${prefix}/*]`;
    acknowledge(service, objects, "The names of files are not known beforehand; the wildcard ends at their prefix.");
  }
  for (const converter of converters) {
    const reason = "Lambda's network interfaces have no names beforehand; the converter's own code is denied the rest.";
    acknowledge(converter, "IAM5[Resource::*]", reason);
  }
};

/** What is meant to be so of the one name for pages, API and results. */
const acknowledgePages = ({ bucket, distribution, placePages }: Pages): void => {
  acknowledge(bucket, "S1", "All requests come from CloudFront and our own function; the files are public.");
  acknowledge(
    placePages,
    `IAM5[Resource::<${logicalId(bucket)}.Arn>/*]`,
    "A build names its files by their content; the bucket holds nothing else.",
  );
  acknowledge(distribution, "CFR1", "The service is for everybody.");
  acknowledge(distribution, "CFR2", "A firewall costs more than the rest; the API limits requests by itself.");
  acknowledge(
    distribution,
    "CFR3",
    "The log would hold the paths of downloads, whose tokens are secret; the API writes a log of its own without them.",
  );
  acknowledge(distribution, "CFR4", "CloudFront's own name takes what it takes; a name of one's own asks for TLS 1.2.");
  Validations.of(distribution).acknowledge({
    id: "Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk",
    reason: "No path leads to the bucket's root: the distribution has a default page, and no query reaches the bucket.",
  });
  acknowledge(
    distribution,
    "CFR7",
    "Results are opened by URLs that are signed for S3: a signature of CloudFront's would stand in their way.",
  );
};

const acknowledge = (where: IConstruct, rule: string, reason: string): void => {
  Validations.of(where).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
};

const logicalId = (bucket: Bucket): string => Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
