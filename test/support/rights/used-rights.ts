import { S3Client } from "@aws-sdk/client-s3";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";

/** The AWS permissions that a function uses, recorded while it runs on any backend. */

/** A used permission, as `action on resource`; with the attributes of an update, and the affected record. */
export interface UsedRight {
  readonly action: string;
  readonly resource: string;
  readonly attributes?: readonly string[];
  readonly record?: string;
}

interface Sent {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

/** The required action for each part of a transaction, and for each single call. */
const TABLE_ACTIONS: Readonly<Record<string, string>> = {
  GetCommand: "GetItem",
  PutCommand: "PutItem",
  UpdateCommand: "UpdateItem",
  DeleteCommand: "DeleteItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
};

const FILE_ACTIONS: Readonly<Record<string, string>> = {
  PutObjectCommand: "PutObject",
  CreateMultipartUploadCommand: "PutObject",
  UploadPartCommand: "PutObject",
  CompleteMultipartUploadCommand: "PutObject",
  GetObjectCommand: "GetObject",
  HeadObjectCommand: "GetObject",
  ListPartsCommand: "ListMultipartUploadParts",
  AbortMultipartUploadCommand: "AbortMultipartUpload",
  DeleteObjectsCommand: "DeleteObject",
};

/** @param nameOf returns the name of a table or a queue from its environment variable */
export const rightsOf = ({ constructor: { name }, input }: Sent, nameOf: (value: unknown) => string): UsedRight[] => {
  if (name === "TransactWriteCommand") {
    const parts = (input.TransactItems as Record<string, Record<string, unknown>>[]).flatMap(Object.entries);
    return parts.map(([kind, part]) => tableRight(kind, part as Sent["input"], nameOf));
  }
  if (name === "QueryCommand") {
    const index = input.IndexName === undefined ? "" : `/${input.IndexName}`;
    return [{ action: "Query", resource: `${nameOf(input.TableName)}${index}` }];
  }
  if (name === "ScanCommand") {
    return [{ action: "Scan", resource: nameOf(input.TableName) }];
  }
  if (name === "GetQueueAttributesCommand") {
    // The URLs of the lanes have an environment variable each; those of the dead letters share one.
    const isLane = nameOf(input.QueueUrl) !== String(input.QueueUrl).toLowerCase();
    return [{ action: "GetQueueAttributes", resource: isLane ? "lanes" : "dead letters" }];
  }
  if (name === "SendMessageCommand") {
    return [{ action: "SendMessage", resource: nameOf(input.QueueUrl) }];
  }
  if (name === "SendEmailCommand") {
    return [{ action: "SendEmail", resource: "mail" }];
  }
  if (name in TABLE_ACTIONS) {
    return [tableRight(name, input, nameOf)];
  }
  return fileRights(name, input);
};

const tableRight = (kind: string, input: Sent["input"], nameOf: (value: unknown) => string): UsedRight => {
  const key = (input.Key ?? {}) as Record<string, unknown>;
  const action = TABLE_ACTIONS[kind] ?? kind;
  return {
    action,
    resource: nameOf(input.TableName),
    record: String(Object.values(key)[0] ?? (input.Item as { pk?: string } | undefined)?.pk),
    ...(action === "UpdateItem" && {
      attributes: [...Object.keys(key), ...Object.values((input.ExpressionAttributeNames ?? {}) as object).map(String)],
    }),
  };
};

const fileRights = (name: string, input: Sent["input"]): UsedRight[] => {
  const keys = (input.Delete as { Objects: { Key: string }[] } | undefined)?.Objects ?? [{ Key: String(input.Key) }];
  return keys.map(({ Key }) => ({ action: FILE_ACTIONS[name] ?? name, resource: Key.split("/")[0] ?? "" }));
};

/** Reports all calls of the AWS clients, and executes them. */
export const watchCalls = (tell: (sent: Sent) => void): void => {
  for (const { prototype } of [DynamoDBDocumentClient, S3Client, SESv2Client, SQSClient]) {
    const send = prototype.send as (...args: unknown[]) => unknown;
    vi.spyOn(prototype, "send").mockImplementation(function (this: unknown, ...args: unknown[]) {
      tell(args[0] as Sent);
      return send.apply(this, args);
    } as never);
  }
};
