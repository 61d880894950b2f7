import { Stack, Validations } from "aws-cdk-lib";
import type { Bucket, CfnBucket } from "aws-cdk-lib/aws-s3";
import type { IConstruct } from "constructs";
import { prefixes } from "./files.ts";

/** The parts of the service in which cdk-nag finds something that is meant to be so. */
export interface Acknowledging {
  readonly service: IConstruct;
  readonly bucket: Bucket;
  readonly api: IConstruct;
  readonly converters: readonly IConstruct[];
  readonly announcements: IConstruct;
}

/**
 * All findings of cdk-nag's AwsSolutions that we have looked at and keep, each with its reason and only where it is
 * meant. Any other finding fails `cdk synth`.
 */
export const acknowledgeFindings = ({ service, bucket, api, converters, announcements }: Acknowledging): void => {
  acknowledge(bucket, "S1", "No public access exists to be logged: all requests come from roles and URLs of ours.");
  acknowledge(
    api,
    "APIG4",
    "The operations check API keys themselves: at once on revocation, with errors of our form.",
  );
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

const acknowledge = (where: IConstruct, rule: string, reason: string): void => {
  Validations.of(where).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
};

const logicalId = (bucket: Bucket): string => Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
