import * as z from "zod/mini";
import { KEY_NAME_CHARACTERS_MAX, KEY_OVERLAP_HOURS_DEFAULT, KEY_OVERLAP_HOURS_MAX } from "../domain/account-limits.ts";
import { scopes } from "../domain/keys.ts";
import { described } from "../domain/options/described.ts";

/** The bodies that make keys. */

export const createKeyRequest = z.strictObject({
  name: described(
    z.string().check(z.minLength(1), z.maxLength(KEY_NAME_CHARACTERS_MAX)),
    "What its owner calls the key: the program that uses it, for example.",
  ),
  scopes: z.optional(
    described(
      z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length)),
      "What the key may do. Default: everything.",
    ),
  ),
  kind: z.optional(
    described(
      z.enum(["live", "test"]),
      "A `test` key converts small files for real, and is not metered. Default: `live`.",
    ),
  ),
  expires_at: z.optional(
    z.nullable(
      described(
        z.iso.datetime({ offset: true }),
        "Until when the key holds. Default, and with null: until it is revoked.",
      ),
    ),
  ),
});

export type CreateKeyRequest = z.infer<typeof createKeyRequest>;

export const rotateKeyRequest = z.strictObject({
  overlap_hours: z.optional(
    described(
      z.int().check(z.minimum(0), z.maximum(KEY_OVERLAP_HOURS_MAX)),
      `Hours that the key before it still holds, so that programs can change over; 0: it is revoked at once. Default: ${KEY_OVERLAP_HOURS_DEFAULT}.`,
    ),
  ),
});

export type RotateKeyRequest = z.infer<typeof rotateKeyRequest>;
