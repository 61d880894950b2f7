import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { FILE_RETENTION_MS } from "../functions/domain/limits.ts";

/** Prefixes of client files. Each prefix has separate permissions. */
export const prefixes = ["uploads", "results"] as const;

/** A lifecycle rule counts full days and runs at midnight UTC, so a file may exist for one more day. */
const EXPIRE_DAYS = Math.ceil(FILE_RETENTION_MS / 86_400_000) + 1;

/** Seconds that a browser caches a CORS preflight: long enough for all parts of an upload. */
const CORS_SECONDS = 3_600;

/**
 * The bucket of uploads and results: private, TLS only, encrypted, with expiration. Its contents are temporary. It is
 * retained when the stack is deleted, because CloudFormation only deletes empty buckets.
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
      // Any origin is allowed: the URL is signed, and a browser sends no credentials. The client reads the ETag.
      cors: [
        {
          allowedOrigins: ["*"],
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ["*"],
          exposedHeaders: ["Accept-Ranges", "Content-Disposition", "Content-Length", "Content-Range", "ETag"],
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
