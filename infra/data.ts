import { CfnOutput, Stack } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { Files } from "./files.ts";
import { streamArn } from "./grants.ts";
import type { Settings } from "./settings.ts";
import { type TableName, Tables } from "./tables.ts";

/** Characters of letters and digits: 256 bits. */
const EDGE_SECRET_CHARACTERS = 43;

/** The values that the stack of the service reads. A renamed output needs two deployments: add it first, then remove the old one. */
export type DataOutput = "BucketName" | "EdgeSecretArn" | "JobsStream" | "JobsTable" | "KeysTable" | "QuotasTable";

export const tableOutputs: Readonly<Record<TableName, DataOutput>> = {
  jobs: "JobsTable",
  keys: "KeysTable",
  quotas: "QuotasTable",
};

/**
 * What must survive the service: tables, files, and the secret between CloudFront and the API. It has a separate stack, so
 * that the service can be deleted and created again without it.
 */
export class Data extends Stack {
  /**
   * Secret that the distribution sends with each request, so that the functions trust its headers about the client's
   * address and the requested host; undefined without a distribution.
   */
  readonly edgeSecret: Secret | undefined;

  constructor(scope: Construct, id: string, { stackName, keepData, capacity, pages }: Settings) {
    super(scope, id, { description: `anyform: tables and files of ${stackName}` });
    const tables = new Tables(this, "Tables", { keepData, warmWrites: capacity.tableWrites }).byName;
    const { bucket } = new Files(this, "Files");
    this.edgeSecret = pages ? this.generatedSecret() : undefined;
    this.output("BucketName", bucket.bucketName, "Uploads and results; each is deleted after a day or two");
    this.output("JobsTable", tables.jobs.tableName, "Jobs and uploads");
    this.output("JobsStream", streamArn(tables.jobs), "Changes of jobs");
    this.output("KeysTable", tables.keys.tableName, "Accounts and API keys");
    this.output("QuotasTable", tables.quotas.tableName, "Requests used, per account and month");
    if (this.edgeSecret !== undefined) {
      this.output("EdgeSecretArn", this.edgeSecret.secretArn, "Secret that CloudFront sends to the API");
    }
  }

  private generatedSecret(): Secret {
    return new Secret(this, "EdgeSecret", {
      description: "Secret that CloudFront sends to the API",
      generateSecretString: { excludePunctuation: true, passwordLength: EDGE_SECRET_CHARACTERS },
    });
  }

  private output(name: DataOutput, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
