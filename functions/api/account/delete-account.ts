import * as z from "zod/mini";
import { hasSubscription } from "../../domain/accounts/billing.ts";
import { RequestError } from "../../domain/errors.ts";
import { flag } from "../../domain/fields.ts";
import { cancelsOnly } from "../jobs/cancel-unfinished.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { noCookieHeaders } from "../sign-in/session-cookie.ts";
import { eraseAll } from "./erase-all.ts";
import { requireAccount } from "./require-account.ts";

const accountDeletion = z.strictObject({ deleted: flag("Whether everything was deleted.") });

/** API Gateway waits 29 s for a response. */
const ERASURE_MS_MAX = 20_000;

/** Deletes the account with its files and records immediately. */
export const deleteAccount = operation({
  id: "deleteAccount",
  methods: ["DELETE"],
  path: "/api/v1/session/account",
  auth: "session",
  timeoutSeconds: 29,
  permissions: {
    tables: {
      keys: [...keyed.keys, "DeleteItem"],
      quotas: [...keyed.quotas, "DeleteItem", "Query"],
      jobs: ["DeleteItem", "GetItem", "UpdateItem"],
    },
    only: { keys: signedIn("accounts", "revokedAt").keys, quotas: cancelsOnly.quotas },
    index: "by-account",
    lists: true,
    files: { results: ["DeleteObject"], uploads: ["DeleteObject"] },
  },
  tag: "Account",
  summary: "Delete the account",
  description:
    "Deletes the account immediately: its jobs with their files, its API keys, sessions, passkeys, webhook messages, request log and usage. This cannot be undone. Unfinished jobs are cancelled. An upload that was never converted is deleted when it expires. An account with very many jobs takes several requests: repeat the request after 202.",
  answers: {
    202: { description: "A part was deleted. Repeat the request.", examples: ["accountDeletion"] },
    204: { description: "Everything was deleted.", headers: ["Set-Cookie"] },
  },
  errors: ["subscription_active"],
  examples: () => ({
    accountDeletion: example("AccountDeletion", "More must be deleted", {
      deleted: false,
    } satisfies z.infer<typeof accountDeletion>),
  }),
  schemas: () => ({ AccountDeletion: accountDeletion }),
  run: (context) => async (request) => {
    const account = requireAccount(request);
    if (hasSubscription(account)) {
      const detail = "Cancel the subscription first. The account can be deleted when it has ended.";
      throw new RequestError("subscription_active", detail);
    }
    const isErased = await eraseAll(context, account.id, context.clock() + ERASURE_MS_MAX);
    return isErased ? { status: 204, headers: noCookieHeaders(request) } : { status: 202, body: { deleted: false } };
  },
});
