import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchUpload,
  PutObjectCommand,
  paginateListParts,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { FileStore, StoredPart } from "../../domain/file-ports.ts";
import type { Bucket } from "./files.ts";
import { isMissing } from "./missing.ts";

type Transfers = Pick<
  FileStore,
  "read" | "bytesOf" | "signedPut" | "beginParts" | "signedPart" | "partsOf" | "joinParts" | "abortParts"
>;

/** Direct uploads of clients to S3, and ranged reads. */
export const s3Transfers = (bucket: Bucket): Transfers => {
  const { client, name: Bucket } = bucket;
  return {
    read: async (key, start, end) => {
      if (start >= end) {
        return (await sizeOf(bucket, key)) === undefined ? undefined : Readable.from([]);
      }
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${start}-${end - 1}` }),
        );
        return Body instanceof Readable ? Body : Readable.from([]);
      } catch (error) {
        if (isMissing(error)) {
          return undefined;
        }
        if (error instanceof S3ServiceException && error.name === "InvalidRange") {
          return Readable.from([]);
        }
        throw error;
      }
    },

    bytesOf: (key) => sizeOf(bucket, key),

    signedPut: async (key, { bytes, sha256, expiresAt }) => {
      const checksum = sha256 === undefined ? undefined : Buffer.from(sha256, "hex").toString("base64");
      const command = new PutObjectCommand({ Bucket, Key: key, ContentLength: bytes, ChecksumSHA256: checksum });
      const headers: Record<string, string> = checksum === undefined ? {} : { "x-amz-checksum-sha256": checksum };
      return {
        url: await getSignedUrl(bucket.signer, command, signing(bucket, expiresAt, Object.keys(headers))),
        headers,
      };
    },

    ...inParts(bucket),
  };
};

const inParts = (
  bucket: Bucket,
): Pick<Transfers, "abortParts" | "beginParts" | "joinParts" | "partsOf" | "signedPart"> => {
  const { client, name: Bucket } = bucket;
  return {
    beginParts: async (key) => {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: key }));
      if (UploadId === undefined) {
        throw new Error(`S3 returned no upload ID for ${key}.`);
      }
      return UploadId;
    },

    signedPart: async (key, { transfer, number, bytes, expiresAt }) => {
      const command = new UploadPartCommand({
        Bucket,
        Key: key,
        UploadId: transfer,
        PartNumber: number,
        ContentLength: bytes,
      });
      return { url: await getSignedUrl(bucket.signer, command, signing(bucket, expiresAt, [])), headers: {} };
    },

    partsOf: async (key, transfer) => {
      const parts: StoredPart[] = [];
      try {
        for await (const { Parts = [] } of paginateListParts({ client }, { Bucket, Key: key, UploadId: transfer })) {
          for (const { PartNumber = 0, Size = 0, ETag = "" } of Parts) {
            parts.push({ number: PartNumber, bytes: Size, etag: ETag });
          }
        }
        return parts;
      } catch (error) {
        if (isNoUpload(error)) {
          return undefined;
        }
        throw error;
      }
    },

    joinParts: async (key, transfer, parts) => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      await client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key: key, UploadId: transfer, MultipartUpload: { Parts } }),
      );
      return undefined;
    },

    abortParts: async (key, transfer) => {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: transfer }));
      } catch (error) {
        if (!isNoUpload(error)) {
          throw error;
        }
      }
    },
  };
};

const isNoUpload = (error: unknown): boolean =>
  error instanceof NoSuchUpload || (error instanceof S3ServiceException && error.name === "NoSuchUpload");

const sizeOf = async ({ client, name }: Bucket, key: string): Promise<number | undefined> => {
  try {
    return (await client.send(new HeadObjectCommand({ Bucket: name, Key: key }))).ContentLength;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
};

/** @returns a URL to PUT a file of any size that one request can have, until `expiresAt` */
export const signedPutOfAnySize = (bucket: Bucket, key: string, expiresAt: number): Promise<string> =>
  getSignedUrl(bucket.signer, new PutObjectCommand({ Bucket: bucket.name, Key: key }), signing(bucket, expiresAt, []));

/** The length is signed too, so that clients cannot upload more than declared. */
const signing = ({ clock }: Bucket, expiresAt: number, headers: readonly string[]) => {
  const now = Math.floor(clock() / 1_000);
  return {
    signingDate: new Date(now * 1_000),
    expiresIn: Math.max(1, Math.floor(expiresAt / 1_000) - now),
    signableHeaders: new Set(["content-length", ...headers]),
    unhoistableHeaders: new Set(headers),
  };
};
