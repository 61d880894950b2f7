import { createHash } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { attachment } from "../../domain/content-disposition.ts";
import type { Delivery, FileStore, StoredFile } from "../../domain/file-ports.ts";
import { openPlain } from "../plain-file.ts";
import { isMissing } from "./missing.ts";
import { storeInParts } from "./stream.ts";
import { s3Transfers } from "./transfers.ts";

/** S3 access for the file store. */
export interface Bucket {
  readonly client: S3Client;
  /** Only signs URLs. */
  readonly signer: S3Client;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Files per delete request. */
const DELETIONS_AT_ONCE = 1_000;

/**
 * Files in S3. Each is sent with its SHA-256, which S3 verifies, so files are stored intact or not at all. Reads verify
 * it again.
 */
export const s3Files = (bucket: Bucket): FileStore => ({
  ...s3Transfers(bucket),

  storeStream: (key, stream, bytesMax) => storeInParts(bucket, key, { stream, bytesMax, put: putFile(bucket, key) }),

  storeFile: async (key, path, mediaType) => {
    const { descriptor: fd, stats } = openPlain(path, constants.O_RDONLY);
    // The file is read twice from the start, and this stream closes it.
    const content = createReadStream(path, { fd, start: 0 });
    try {
      const hash = createHash("sha256");
      await pipeline(createReadStream(path, { fd, start: 0, autoClose: false }), hash);
      const sent = { Key: key, Body: content, ContentLength: stats.size, ContentType: mediaType };
      return await put(bucket, sent, hash.digest());
    } finally {
      content.destroy();
    }
  },

  fetch: async (key, folder) => {
    const body = await get(bucket, key);
    return body && (await save(body, join(folder, key.replaceAll("/", "-"))));
  },

  remove: async (keys) => {
    for (let start = 0; start < keys.length; start += DELETIONS_AT_ONCE) {
      await removeSome(bucket, keys.slice(start, start + DELETIONS_AT_ONCE));
    }
  },

  signedUrl: (key, delivery) => sign(bucket, key, delivery),
});

/** Stores a file of one part in a single request, with its SHA-256. */
const putFile =
  (bucket: Bucket, key: string) =>
  (content: Buffer): Promise<StoredFile> =>
    put(
      bucket,
      { Key: key, Body: content, ContentLength: content.length },
      createHash("sha256").update(content).digest(),
    );

type Content = Pick<PutObjectCommandInput, "Body" | "ContentType"> & { Key: string; ContentLength: number };

const put = async ({ client, name }: Bucket, content: Content, sha256: Buffer): Promise<StoredFile> => {
  await client.send(new PutObjectCommand({ ...content, Bucket: name, ChecksumSHA256: sha256.toString("base64") }));
  return { bytes: content.ContentLength, sha256: sha256.toString("hex") };
};

const get = async ({ client, name }: Bucket, key: string): Promise<Readable | undefined> => {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
    if (!(Body instanceof Readable)) {
      throw new TypeError(`S3 returned no stream for ${key}.`);
    }
    return Body;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
};

/** Writes the body to the path atomically. */
const save = async (body: Readable, path: string): Promise<string> => {
  try {
    await pipeline(body, createWriteStream(path));
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

/** S3 returns 200 even if some files could not be deleted. */
const removeSome = async ({ client, name }: Bucket, keys: readonly string[]): Promise<void> => {
  const Objects = keys.map((key) => ({ Key: key }));
  const { Errors = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }),
  );
  const [first] = Errors;
  if (first !== undefined) {
    throw new Error(
      `S3 did not delete ${Errors.length} files; the first, ${first.Key}: ${first.Code} ${first.Message}`,
    );
  }
};

/** S3 counts full seconds from the time of signing, so the URL expires just before `expiresAt`, never after. */
const sign = ({ signer, name, clock }: Bucket, key: string, delivery: Delivery): Promise<string> => {
  const now = Math.floor(clock() / 1_000);
  const command = new GetObjectCommand({
    Bucket: name,
    Key: key,
    ResponseContentDisposition: attachment(delivery.filename),
    ResponseContentType: delivery.mediaType,
  });
  return getSignedUrl(signer, command, {
    signingDate: new Date(now * 1_000),
    expiresIn: Math.max(1, Math.floor(delivery.expiresAt / 1_000) - now),
  });
};
