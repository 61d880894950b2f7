import * as z from "zod/mini";
import { issueKey } from "../../domain/accounts/account.ts";
import { KEY_NAME_CHARACTERS_MAX } from "../../domain/accounts/account-limits.ts";
import type { NewKeyView } from "../../domain/accounts/key-views.ts";
import { scopes } from "../../domain/accounts/keys.ts";
import { cleanText } from "../../domain/clean-text.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { keyLimitFields, withLimits } from "./key-limits.ts";
import { keyView } from "./key-view.ts";
import { checkRoom } from "./require-key.ts";

export const createKeyRequest = z.strictObject({
  name: described(
    z.string().check(z.minLength(1), z.maxLength(KEY_NAME_CHARACTERS_MAX)),
    "A name for the key, such as the program that uses it.",
  ),
  scopes: z.optional(
    described(
      z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length)),
      "What the key can be used for. Default: everything.",
    ),
  ),
  kind: z.optional(
    described(z.enum(["live", "test"]), "A `test` key converts small files and is not metered. Default: `live`."),
  ),
  expires_at: z.optional(
    z.nullable(described(z.iso.datetime({ offset: true }), "When the key expires. Default and null: never.")),
  ),
  ...keyLimitFields(),
});

type CreateKeyRequest = z.infer<typeof createKeyRequest>;

/** Creates a key and returns it, this once: only its SHA-256 is stored. */
export const createKey = operation({
  id: "createKey",
  methods: ["POST"],
  path: "/api/v1/keys",
  auth: "session",
  permissions: { tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] }, only: signedIn(), lists: true },
  tag: "Keys",
  summary: "Create an API key",
  description:
    "Creates an API key. The key is returned only in this response: the service stores its SHA-256. An account can have up to 50 active keys.",
  requests: ["keyRequest"],
  answers: { 201: { description: "The key.", examples: ["newKey"] } },
  errors: ["limit_reached"],
  examples: ({ apiKey, keyRecord }) => ({
    keyRequest: example("KeyRequest", "A key for one program", {
      name: "build server",
      scopes: ["upload", "convert", "read", "download"],
      expires_at: keyView(keyRecord).expires_at,
    }),
    newKey: example("NewKey", "A new key", { key: apiKey, ...keyView(keyRecord) }),
  }),
  schemas: () => ({ KeyRequest: createKeyRequest }),
  body: createKeyRequest,
  run: (context) => async (request) => {
    const { body, accountId, now } = request;
    const wanted = {
      accountId,
      name: nameOf(body),
      kind: body.kind,
      ...scopesOf(body),
      ...expiryOf(body, now),
      limits: withLimits({}, body),
    };
    await checkRoom(context, request);
    const { key, record } = await issueKey(context, wanted);
    const view: NewKeyView = { key, ...keyView(record) };
    return { status: 201, body: view };
  },
});

const nameOf = (body: CreateKeyRequest): string => {
  const name = cleanText(body.name);
  if (name === "") {
    throw fieldError("/name", "too_small", "`name` must contain at least one visible character.");
  }
  return name;
};

/** Removes duplicates, and sorts by the order of the table. */
const scopesOf = ({ scopes: named }: CreateKeyRequest) =>
  named === undefined ? {} : { scopes: scopes.filter((scope) => named.includes(scope)) };

const expiryOf = ({ expires_at }: CreateKeyRequest, now: number): { expiresAt?: number } => {
  if (expires_at === undefined || expires_at === null) {
    return {};
  }
  const expiresAt = Date.parse(expires_at);
  if (expiresAt <= now) {
    throw fieldError("/expires_at", "too_small", "`expires_at` must be in the future.");
  }
  return { expiresAt };
};

const fieldError = (pointer: string, code: string, detail: string): RequestError =>
  new RequestError("invalid_request", `Invalid request body. ${detail}`, {
    errors: [{ pointer, code, detail }],
  });
