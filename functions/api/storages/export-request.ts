import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { EXPORT_KEY_CHARACTERS_MAX, IMPORT_URL_CHARACTERS_MAX } from "../../domain/limits.ts";
import { outboundHeaders } from "./outbound-headers.ts";

/** Letters, digits and `._-`, so that a name needs no encoding in a path. */
export const storageName = () =>
  described(
    z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)),
    "The name of a storage: 1 to 64 letters, digits, dots, underscores and hyphens.",
  );

const KEY = "a path without empty segments, `.`, `..`, backslashes and control characters";

const isKey = (text: string): boolean =>
  /^[^\p{Cc}\\]+$/u.test(text) && text.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** The key of an object: the same rule for all storages, because WebDAV servers normalize paths. */
export const objectKey = (description: string) =>
  described(
    z.string().check(z.minLength(1), z.maxLength(EXPORT_KEY_CHARACTERS_MAX), z.refine(isKey, KEY)),
    description,
  );

const isSet = (value: unknown): boolean => value !== undefined;

/** Where the result of a job is exported to. */
export const exportRequest = z
  .strictObject({
    url: z.optional(
      described(
        z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(IMPORT_URL_CHARACTERS_MAX)),
        "The URL that receives the result, such as a presigned URL. Must be reachable from the internet; redirects are not followed. Its query is never returned.",
      ),
    ),
    method: z.optional(described(z.enum(["PUT", "POST"]), "The method of the request to `url`. Default: PUT.")),
    headers: z.optional(outboundHeaders("the request to `url`")),
    storage: z.optional(storageName()),
    key: z.optional(
      objectKey(
        "The key of the object in the storage. `{name}` is the filename of the result, `{id}` the job ID. Default: `{name}`.",
      ),
    ),
  })
  .check(
    z.refine(({ url, storage }) => [url, storage].filter(isSet).length === 1, {
      path: ["url"],
      message: "Set one of `url` and `storage`.",
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
    z.refine(({ url, method, headers }) => isSet(url) || !(isSet(method) || isSet(headers)), {
      path: ["method"],
      message: "`method` and `headers` belong to `url`.",
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
  );

// Without `oneOf`: client generators make an untyped object of it.
z.globalRegistry.add(exportRequest, {
  description: "Delivers the result when the job has completed, with retries. Set one of `url` and `storage`.",
});

export type ExportRequest = z.infer<typeof exportRequest>;
