import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** The AWS clients. The SDK reads region, credentials and endpoints from the environment. */

/** Connection and idle timeouts in milliseconds. Three attempts of 9 s fit in the 29 s of a request. */
const QUICK = { connectionTimeout: 5_000, socketTimeout: 4_000 };

/** S3 may take long to respond after the last byte of a large file. */
const PATIENT = { connectionTimeout: 5_000, socketTimeout: 30_000 };

export const dynamoClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: QUICK }), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const s3Client = (): S3Client => new S3Client({ requestHandler: PATIENT });

/** A client that only signs URLs: with checksums it would sign parameters that downloaders do not need. */
export const s3Signer = (): S3Client =>
  new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" });

/** @param ownEndpoint whether an endpoint was configured: the SDK would otherwise go to the host of the queue's URL */
export const sqsClient = (ownEndpoint: boolean): SQSClient =>
  new SQSClient({ requestHandler: QUICK, useQueueUrlAsEndpoint: !ownEndpoint });
