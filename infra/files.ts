import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { FILE_RETENTION_MS } from "../functions/domain/limits.ts";

/** Where the files of clients lie. Each prefix has permissions of its own. */
export const prefixes = ["uploads", "results"] as const;

export type Prefix = (typeof prefixes)[number];

/** A lifecycle rule counts whole days and runs at midnight UTC, so the last file may live a day longer than this. */
const EXPIRE_DAYS = Math.ceil(FILE_RETENTION_MS / 86_400_000) + 1;

/** Seconds that a browser remembers what it may: all the parts of an upload. */
const CORS_SECONDS = 3_600;

/**
 * The bucket of uploads and results: private, TLS only, encrypted, emptied by age. It holds nothing that lasts; it stays
 * with its last files when the stack goes, because CloudFormation deletes only an empty bucket.
 */
export class Files extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
      // From any page: the URL is signed, and a browser sends nothing of its own along. The client reads the ETag.
      cors: [
        {
          allowedOrigins: ["*"],
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ["*"],
          exposedHeaders: ["ETag"],
          maxAge: CORS_SECONDS,
        },
      ],
      lifecycleRules: [
        ...prefixes.map((prefix) => ({ id: prefix, prefix: `${prefix}/`, expiration: Duration.days(EXPIRE_DAYS) })),
        { id: "unfinished-uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
  }
}
