import { createHash, createHmac } from "node:crypto";
import { type Credentials, objectUrl, type S3Place } from "./storage.ts";

/** The request that a signed URL permits. */
export interface SignedRequest {
  readonly method: "DELETE" | "GET" | "PUT";
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly seconds: number;
}

/**
 * @returns the URL of one request to an S3 object, signed with version 4 (Amazon S3 API Reference, "Authenticating
 * requests: using query parameters"). The body is not signed, so it can be streamed. A pure function instead of the SDK:
 * the same code signs for every service that is compatible with S3, and the one-machine service does not load the SDK.
 */
export const signedS3Url = (
  place: S3Place,
  { id, secret }: Credentials,
  { method, key, now, seconds }: SignedRequest,
): URL => {
  const url = objectUrl(place, key);
  const time = new Date(now).toISOString().replace(/\.\d{3}|[-:]/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${place.region}/s3/aws4_request`;
  const query = [
    ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
    ["X-Amz-Credential", `${id}/${scope}`],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", String(seconds)],
    ["X-Amz-SignedHeaders", "host"],
  ]
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
  const request = [method, url.pathname, query, `host:${url.host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(request).digest("hex")].join("\n");
  const signingKey = [day, place.region, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  url.search = `${query}&X-Amz-Signature=${hmac(signingKey, text).toString("hex")}`;
  return url;
};

const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();
