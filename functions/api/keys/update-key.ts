import * as z from "zod/mini";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { keyLimitFields, withLimits } from "./key-limits.ts";
import { keyView } from "./key-view.ts";
import { requireKey } from "./require-key.ts";

export const keyChangesRequest = z.strictObject(keyLimitFields());

/** Changes the limits of a key, from its next request on. */
export const updateKey = operation({
  id: "updateKey",
  methods: ["POST"],
  path: "/api/v1/keys/{id}",
  auth: "session",
  permissions: { tables: keyed, only: signedIn("monthlyLimit", "origins"), lists: true },
  tag: "Keys",
  summary: "Change the limits of an API key",
  description:
    "Changes the monthly limit and the allowed origins of an API key, from its next request on. Missing fields stay unchanged; null removes a limit.",
  parameters: ["apiKeyId"],
  requests: ["keyChanges"],
  answers: { 200: { description: "The key.", examples: ["limitedKey"] } },
  errors: ["not_found"],
  examples: ({ keyRecord }) => ({
    keyChanges: example("KeyChanges", "1,000 requests a month, from one website", {
      monthly_limit: 1_000,
      allowed_origins: ["https://example.com"],
    }),
    limitedKey: example(
      "Key",
      "A key for one website",
      keyView({ ...keyRecord, monthlyLimit: 1_000, origins: ["https://example.com"] }),
    ),
  }),
  schemas: () => ({ KeyChanges: keyChangesRequest }),
  body: keyChangesRequest,
  run: (context) => async (request) => {
    const { monthlyLimit, origins, ...key } = await requireKey(context, request);
    const limits = withLimits(
      { ...(monthlyLimit !== undefined && { monthlyLimit }), ...(origins && { origins }) },
      request.body,
    );
    await context.accounts.limitKey(key.hash, limits);
    return { status: 200, body: keyView({ ...key, ...limits }) };
  },
});
