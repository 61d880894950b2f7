import { S3Client } from "@aws-sdk/client-s3";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";

/** What a function asks of AWS, as rights: watched while it runs, over whatever answers. */

/** A right that was used, as `action on resource`; with what an update names, and which records it concerns. */
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

/** The parts of a transaction, and single calls, by the action that each needs. */
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

/** @param nameOf tells a table or a queue by what the environment calls it */
export const rightsOf = ({ constructor: { name }, input }: Sent, nameOf: (value: unknown) => string): UsedRight[] => {
  if (name === "TransactWriteCommand") {
    const parts = (input.TransactItems as Record<string, Record<string, unknown>>[]).flatMap(Object.entries);
    return parts.map(([kind, part]) => tableRight(kind, part as Sent["input"], nameOf));
  }
  if (name === "QueryCommand") {
    return [{ action: "Query", resource: `${nameOf(input.TableName)}/${input.IndexName}` }];
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

/** Has all that the clients of AWS send told, and goes on with it. */
export const watchCalls = (tell: (sent: Sent) => void): void => {
  for (const { prototype } of [DynamoDBDocumentClient, S3Client, SESv2Client, SQSClient]) {
    const send = prototype.send as (...args: unknown[]) => unknown;
    vi.spyOn(prototype, "send").mockImplementation(function (this: unknown, ...args: unknown[]) {
      tell(args[0] as Sent);
      return send.apply(this, args);
    } as never);
  }
};
