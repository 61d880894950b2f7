import * as z from "zod/mini";
import { described } from "./options/described.ts";

/** Fields of answers, each with its description. Every call makes a schema of its own: a description belongs to one. */

export const text = (description: string) => described(z.string(), description);
export const flag = (description: string) => described(z.boolean(), description);
export const time = (description: string) => described(z.iso.datetime(), description);
export const count = (description: string) => described(z.int().check(z.minimum(0)), description);
export const id = (start: string, description: string) =>
  described(z.string().check(z.regex(new RegExp(`^${start}_`))), description);
export const sha256 = () =>
  described(z.string().check(z.regex(/^[0-9a-f]{64}$/)), "SHA-256 of the bytes, hexadecimal.");
export const orNull = <S extends z.ZodMiniType>(schema: S) => z.nullable(schema);
export const codeOf = <T extends Record<string, unknown>>(table: T, description: string) =>
  described(z.enum(Object.keys(table) as [keyof T & string]), description);
export const fidelity = () =>
  described(
    z.enum(["lossless", "lossy", "content_only"]),
    "What a conversion keeps: everything, all but some quality, or the content without its layout.",
  );
export const headers = () =>
  described(z.record(z.string(), z.string()), "Headers to send along, exactly as they are here; often there are none.");
export const next = () =>
  described(z.nullable(z.string()), "What `after` is to be for the next page; null on the last one.");

/** @returns an error of a record, with the codes of its table */
export const failure = <T extends Record<string, unknown>>(table: T, description: string) =>
  described(
    z.strictObject({
      code: codeOf(table, "Stable: what a program should look at. This document lists them all."),
      title: text("The code in words."),
      detail: text("What was wrong with this file."),
      retryable: flag("Whether the same may succeed when it is asked for again."),
    }),
    description,
  );
