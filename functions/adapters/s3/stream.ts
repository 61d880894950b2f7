import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { RequestError } from "../../domain/errors.ts";
import type { StoredFile } from "../../domain/file-ports.ts";
import type { Bucket } from "./files.ts";
import { s3Transfers } from "./transfers.ts";

/** Bytes per part. One part is buffered in memory, and 10,000 parts exceed the largest allowed file. */
const PART_BYTES = 8_388_608;

interface Streamed {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly bytesMax: number;
  /** Stores a file of at most one part. */
  readonly put: (content: Buffer) => Promise<StoredFile>;
}

/**
 * Stores a stream with constant memory use: a small file in one request, a large one in parts.
 *
 * @throws RequestError `payload_too_large`; nothing is stored in this case, or if the stream fails
 */
export const storeInParts = async (
  bucket: Bucket,
  key: string,
  { stream, bytesMax, put }: Streamed,
): Promise<StoredFile> => {
  const hash = createHash("sha256");
  const transfers = s3Transfers(bucket);
  const parts: CompletedPart[] = [];
  let transfer: string | undefined;
  let bytes = 0;
  const sendPart = async (Body: Buffer): Promise<void> => {
    transfer ??= await beginChecked(bucket, key);
    const part = { PartNumber: parts.length + 1, ChecksumCRC32: crc32Base64(Body) };
    const command = new UploadPartCommand({ Bucket: bucket.name, Key: key, UploadId: transfer, Body, ...part });
    parts.push({ ...part, ETag: (await bucket.client.send(command)).ETag });
  };
  try {
    for await (const part of inParts(stream, bytesMax)) {
      bytes += part.length;
      hash.update(part);
      if (part.length < PART_BYTES && transfer === undefined) {
        return await put(part);
      }
      await sendPart(part);
    }
    await bucket.client.send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket.name,
        Key: key,
        UploadId: transfer,
        MultipartUpload: { Parts: parts },
      }),
    );
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    if (transfer !== undefined) {
      await transfers.abortParts(key, transfer);
    }
    throw error;
  }
};

/**
 * Parts with a checksum need a transfer that was begun with the algorithm, and the completion repeats the checksums
 * (Amazon S3 User Guide, "Checking object integrity"). Transfers of clients have none: their parts have no checksums.
 */
const beginChecked = async ({ client, name }: Bucket, key: string): Promise<string> => {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket: name, Key: key, ChecksumAlgorithm: "CRC32" }),
  );
  if (UploadId === undefined) {
    throw new Error(`S3 returned no upload ID for ${key}.`);
  }
  return UploadId;
};

/** @returns the checksum as S3 expects it: four bytes, most significant first, in base64 */
const crc32Base64 = (content: Buffer): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString("base64");
};

/** @returns the bytes in chunks of exactly {@link PART_BYTES}, except the last; one empty chunk for an empty stream */
const inParts = async function* (stream: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Buffer> {
  let [waiting, waitingBytes, total] = [[] as Uint8Array[], 0, 0];
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > bytesMax) {
      throw new RequestError("payload_too_large", `The file is larger than the limit of ${bytesMax} bytes.`);
    }
    waiting.push(chunk);
    waitingBytes += chunk.length;
    while (waitingBytes >= PART_BYTES) {
      const all = Buffer.concat(waiting);
      yield all.subarray(0, PART_BYTES);
      waiting = [all.subarray(PART_BYTES)];
      waitingBytes -= PART_BYTES;
    }
  }
  if (waitingBytes > 0 || total === 0) {
    yield Buffer.concat(waiting);
  }
};
