import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { requireKey } from "./require-key.ts";

/** Revokes a key: it is rejected from the next request on. Revoking it again changes nothing. */
export const deleteKey = operation({
  id: "deleteKey",
  methods: ["DELETE"],
  path: "/api/v1/keys/{id}",
  auth: "session",
  permissions: { tables: keyed, only: signedIn("revokedAt"), lists: true },
  tag: "Keys",
  summary: "Revoke an API key",
  description: "Revokes an API key. It is rejected from the next request on.",
  parameters: ["apiKeyId"],
  answers: { 204: { description: "The key was revoked." } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const { hash } = await requireKey(context, request);
    await context.accounts.revokeKey(hash, request.now);
    return { status: 204 };
  },
});
