import { en } from "zod/locales";
import * as z from "zod/mini";
import type { FieldError } from "./errors.ts";

// The mini build of zod has no messages; without a locale every message would read "Invalid input".
// Importing `z.locales` would bundle the messages of all 50 languages, 260 kB.
z.config(en());

/** @returns the validation errors, with JSON pointers (RFC 6901) below the given one */
export const fieldErrors = (error: z.core.$ZodError, below = ""): FieldError[] =>
  error.issues.flatMap((issue) => {
    const pointer = below + issue.path.map((part) => `/${escapePointer(String(part))}`).join("");
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          pointer: `${pointer}/${escapePointer(key)}`,
          code: "unknown",
          detail: "Unknown field.",
        }))
      : [{ pointer, code: issue.code ?? "invalid", detail: issue.message }];
  });

const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
