import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * @returns whether the URL of the request has a valid signature: AWS Signature Version 4 in the query, as S3 defines it
 * ("Authenticating Requests: Using Query Parameters")
 */
export const isSignedByOwner = (
  request: IncomingMessage,
  { id, secret }: { readonly id: string; readonly secret: string },
): boolean => {
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const parameters = [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const credential = url.searchParams.get("X-Amz-Credential") ?? "";
  const [owner, ...scope] = credential.split("/");
  const signed = (url.searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
  const canonical = [
    request.method,
    url.pathname,
    parameters
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signed.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    signed.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const date = url.searchParams.get("X-Amz-Date") ?? "";
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>((secretOfPart, part) => hmac(secretOfPart, part), `AWS4${secret}`);
  const given = Buffer.from(url.searchParams.get("X-Amz-Signature") ?? "", "hex");
  const expected = hmac(key, text);
  return owner === id && given.length === expected.length && timingSafeEqual(given, expected);
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
