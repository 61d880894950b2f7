import * as z from "zod/mini";
import { described } from "./conversions/options/described.ts";

/**
 * Response fields with their descriptions. Every call creates a new schema, because a description belongs to one
 * schema.
 */

export const text = (description: string) => described(z.string(), description);
export const flag = (description: string) => described(z.boolean(), description);
export const time = (description: string) => described(z.iso.datetime(), description);
export const count = (description: string) => described(z.int().check(z.minimum(0)), description);
export const id = (start: string, description: string) =>
  described(z.string().check(z.regex(new RegExp(`^${start}_`))), description);
export const sha256 = () =>
  described(z.string().check(z.regex(/^[0-9a-f]{64}$/)), "SHA-256 of the file, in hexadecimal.");
export const orNull = <S extends z.ZodMiniType>(schema: S) => z.nullable(schema);
export const codeOf = <T extends Record<string, unknown>>(table: T, description: string) =>
  described(z.enum(Object.keys(table) as [keyof T & string]), description);
export const fidelity = () =>
  described(
    z.enum(["lossless", "lossy", "content_only"]),
    "What a conversion preserves: `lossless` everything, `lossy` everything except some quality, `content_only` the content without its layout.",
  );
export const headers = () => described(z.record(z.string(), z.string()), "Headers to send, unchanged. Often empty.");
export const next = () =>
  described(z.nullable(z.string()), "The value of `after` for the next page. Null on the last page.");

/** @returns an error of a record, with the codes of its table */
export const failure = <T extends Record<string, unknown>>(table: T, description: string) =>
  described(
    z.strictObject({
      code: codeOf(table, "Error code. Stable: use it in programs. This document lists all codes."),
      title: text("The code in words."),
      detail: text("What is wrong with this file."),
      retryable: flag("Whether a retry can succeed."),
    }),
    description,
  );
