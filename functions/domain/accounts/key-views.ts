import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { count, id, orNull, text, time } from "../fields.ts";
import { scopes } from "./keys.ts";

/** API keys as the API returns them: see uploads/upload-views.ts. */

const keyFields = () => ({
  id: id("key", "Key ID."),
  name: text("The name of the key."),
  prefix: text("The first characters of the key, to identify it."),
  kind: described(z.enum(["live", "test"]), "A `test` key converts small files and is not metered."),
  scopes: described(z.array(z.enum(scopes)), "What the key can be used for."),
  monthly_limit: orNull(described(z.int(), "Requests per UTC month. Null: only the quota of the account applies.")),
  used_this_month: orNull(count("Requests counted toward `monthly_limit` this month. Null without a limit.")),
  allowed_origins: orNull(described(z.array(z.string()), "Origins of web pages that may use the key. Null: all.")),
  created_at: time("When the key was created."),
  expires_at: orNull(time("When the key expires. Null: never.")),
  last_used_at: orNull(time("When the key was last used, to the minute. Null: never.")),
  revoked_at: orNull(time("When the key was revoked. Null: not revoked.")),
});

export const keySchema = described(z.strictObject(keyFields()), "An API key, without the key itself.");

export const newKeySchema = described(
  z.strictObject({
    key: text("The key. It is shown only once: the service stores its SHA-256."),
    ...keyFields(),
  }),
  "A new API key.",
);

export const keyListSchema = described(
  z.strictObject({
    keys: described(z.array(keySchema), "Keys, newest first. Only the latest revoked and expired ones are listed."),
  }),
  "The API keys of an account.",
);

export type KeyView = z.infer<typeof keySchema>;
export type NewKeyView = z.infer<typeof newKeySchema>;
export type KeyListView = z.infer<typeof keyListSchema>;
