import { CfnOutput, Stack } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { Files } from "./files.ts";
import { streamArn } from "./grants.ts";
import type { Settings } from "./settings/settings.ts";
import { type TableName, Tables } from "./tables.ts";

/** Characters of letters and digits: 256 bits. */
const SECRET_CHARACTERS = 43;

/** The values that the stack of the service reads. A renamed output needs two deployments: add it first, then remove the old one. */
export type DataOutput =
  | "BucketName"
  | "EdgeSecretArn"
  | "JobsStream"
  | "JobsTable"
  | "KeysTable"
  | "QuotasTable"
  | "StorageSecretArn";

export const tableOutputs: Readonly<Record<TableName, DataOutput>> = {
  jobs: "JobsTable",
  keys: "KeysTable",
  quotas: "QuotasTable",
};

/**
 * What must survive the service: tables, files, the secret between CloudFront and the API, and the one that encrypts
 * credentials. It has a separate stack, so
 * that the service can be deleted and created again without it.
 */
export class Data extends Stack {
  /**
   * Secret that the distribution sends with each request, so that the functions trust its headers about the client's
   * address and the requested host; undefined without a distribution.
   */
  readonly edgeSecret: Secret | undefined;
  /** Encrypts the credentials of storages in the keys table. Without it they cannot be read. */
  readonly storageSecret: Secret;

  constructor(scope: Construct, id: string, { stackName, keepData, capacity, pages }: Settings) {
    super(scope, id, { description: `anyform: tables and files of ${stackName}` });
    const tables = new Tables(this, "Tables", { keepData, warmWrites: capacity.tableWrites }).byName;
    const { bucket } = new Files(this, "Files");
    this.edgeSecret = pages ? this.generatedSecret("EdgeSecret", "Secret that CloudFront sends to the API") : undefined;
    this.storageSecret = this.generatedSecret("StorageSecret", "Secret that encrypts credentials of storages");
    this.output("BucketName", bucket.bucketName, "Uploads and results; each is deleted after a day or two");
    this.output("JobsTable", tables.jobs.tableName, "Jobs and uploads");
    this.output("JobsStream", streamArn(tables.jobs), "Changes of jobs");
    this.output("KeysTable", tables.keys.tableName, "Accounts and API keys");
    this.output("QuotasTable", tables.quotas.tableName, "Requests used, per account and month");
    this.output("StorageSecretArn", this.storageSecret.secretArn, "Secret that encrypts credentials of storages");
    if (this.edgeSecret !== undefined) {
      this.output("EdgeSecretArn", this.edgeSecret.secretArn, "Secret that CloudFront sends to the API");
    }
  }

  private generatedSecret(id: string, description: string): Secret {
    return new Secret(this, id, {
      description,
      generateSecretString: { excludePunctuation: true, passwordLength: SECRET_CHARACTERS },
    });
  }

  private output(name: DataOutput, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
