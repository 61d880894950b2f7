import { Fn, type Stack } from "aws-cdk-lib";
import { type ITableV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Bucket, type IBucket } from "aws-cdk-lib/aws-s3";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { type Data, type DataOutput, tableOutputs } from "./data.ts";
import { type TableName, tableNames } from "./tables.ts";

/** The resources of the data's stack, as the service's stack knows them: by the values of its outputs. */
export interface Stores {
  readonly tables: Readonly<Record<TableName, ITableV2>>;
  readonly bucket: IBucket;
  /** @default none: there is no distribution */
  readonly edgeSecret: ISecret | undefined;
  readonly storageSecret: ISecret;
}

/**
 * Reads the outputs when the service is deployed. Exports would do the same, but CloudFormation rejects each update that
 * changes or removes an export in use: a table could not be replaced, and neither stack could be updated first.
 */
export const storesOf = (service: Stack, data: Data): Stores => {
  service.addStackDependency(data, "reads its outputs");
  const place = new Construct(service, "Stores");
  const read = (name: DataOutput): string => Fn.getStackOutput(data.stackName, name);
  const table = (name: TableName): ITableV2 =>
    TableV2.fromTableAttributes(place, name, {
      tableName: read(tableOutputs[name]),
      ...(name === "jobs" && { tableStreamArn: read("JobsStream") }),
    });
  return {
    tables: Object.fromEntries(tableNames.map((name) => [name, table(name)])) as Record<TableName, ITableV2>,
    bucket: Bucket.fromBucketName(place, "Files", read("BucketName")),
    storageSecret: Secret.fromSecretCompleteArn(place, "StorageSecret", read("StorageSecretArn")),
    edgeSecret: data.edgeSecret && Secret.fromSecretCompleteArn(place, "EdgeSecret", read("EdgeSecretArn")),
  };
};
