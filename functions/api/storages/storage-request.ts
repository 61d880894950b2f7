import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Credentials, Place } from "../../domain/exports/storage.ts";
import { STORAGE_VALUE_CHARACTERS_MAX } from "../../domain/limits.ts";

const value = (description: string) =>
  z.optional(
    described(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(STORAGE_VALUE_CHARACTERS_MAX),
          z.regex(/^[^\p{Cc}]*$/u, "a string without control characters"),
        ),
      description,
    ),
  );

/** A storage with its credentials. What its type requires is checked by {@link placeOf} and {@link credentialsOf}. */
export const storageRequest = described(
  z.strictObject({
    type: described(z.enum(["s3", "webdav"]), "The protocol."),
    endpoint: z.optional(
      described(
        z.url({ protocol: /^https?$/, hostname: /./ }).check(
          z.maxLength(STORAGE_VALUE_CHARACTERS_MAX),
          z.refine((text) => {
            const url = URL.parse(text);
            return url !== null && url.username + url.password + url.search + url.hash === "";
          }, "a URL without a user name, query and fragment"),
        ),
        "The URL of the service, without the bucket, or of the WebDAV folder. Must be reachable from the internet. Default: Amazon S3 in the region.",
      ),
    ),
    region: z.optional(
      described(
        z.string().check(z.regex(/^[a-z0-9-]{1,64}$/, "a region such as eu-central-1")),
        "The region of the bucket. Default: `us-east-1`.",
      ),
    ),
    bucket: z.optional(
      described(
        z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, "the name of a bucket")),
        "The bucket. Required for `s3`.",
      ),
    ),
    virtual_host: z.optional(
      described(z.boolean(), "Whether the bucket is part of the host name instead of the path. Default: false."),
    ),
    access_key_id: value("The ID of the access key. Required for `s3`."),
    secret_access_key: value("The secret access key. Required for `s3`. Never returned."),
    username: value("The user of WebDAV. Default: no authentication."),
    password: value("The password of WebDAV. Never returned."),
  }),
  "A storage with its credentials, which are encrypted and never returned.",
);

export type StorageRequest = z.infer<typeof storageRequest>;

type Field = keyof StorageRequest;

/** Fields that belong to the other type. */
const foreign: Readonly<Record<StorageRequest["type"], readonly Field[]>> = {
  s3: ["username", "password"],
  webdav: ["region", "bucket", "virtual_host", "access_key_id", "secret_access_key"],
};

const required: Readonly<Record<StorageRequest["type"], readonly Field[]>> = {
  s3: ["bucket", "access_key_id", "secret_access_key"],
  webdav: ["endpoint"],
};

/** @throws RequestError `invalid_request` for a field that the type needs, or does not have */
export const checkStorage = (body: StorageRequest): void => {
  const errors = [
    ...required[body.type]
      .filter((field) => body[field] === undefined)
      .map((field) => ({
        pointer: `/${field}`,
        code: "missing",
        detail: `\`${field}\` is required for ${body.type}.`,
      })),
    ...foreign[body.type]
      .filter((field) => body[field] !== undefined)
      .map((field) => ({
        pointer: `/${field}`,
        code: "unrecognized_keys",
        detail: `\`${field}\` is not a field of ${body.type}.`,
      })),
    ...((body.username === undefined) === (body.password === undefined)
      ? []
      : [{ pointer: "/password", code: "missing", detail: "Set both `username` and `password`, or neither." }]),
  ];
  if (errors.length > 0) {
    const detail = errors.map((error) => error.detail).join(" ");
    throw new RequestError("invalid_request", `Invalid request body. ${detail}`, { errors });
  }
};

/** @returns the place of a checked request */
export const placeOf = ({ type, endpoint, region = "us-east-1", bucket = "", virtual_host }: StorageRequest): Place =>
  type === "webdav"
    ? { type, endpoint: endpoint ?? "" }
    : {
        type,
        endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
        region,
        bucket,
        ...(virtual_host && { virtualHost: true }),
      };

/** @returns the credentials of a checked request */
export const credentialsOf = (body: StorageRequest): Credentials => ({
  id: body.access_key_id ?? body.username ?? "",
  secret: body.secret_access_key ?? body.password ?? "",
});
