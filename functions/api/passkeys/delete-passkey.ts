import { RequestError } from "../../domain/errors.ts";
import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { param } from "../request.ts";

/** Removes a passkey from the account: it can no longer be used to sign in. Its sessions continue. */
export const deletePasskey = operation({
  id: "deletePasskey",
  methods: ["DELETE"],
  path: "/api/v1/session/passkeys/{id}",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  tag: "Sessions",
  summary: "Remove a passkey",
  description:
    "Removes a passkey, which can no longer be used to sign in. Sessions that were started with it continue until they are ended.",
  parameters: ["passkeyId"],
  answers: { 204: { description: "The passkey was removed." } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const id = param(request, "id");
    const passkeys = await context.sessions.passkeysOf(request.accountId);
    if (!passkeys.some((each) => each.id === id && each.memberId === request.session?.memberId)) {
      throw new RequestError("not_found", `Passkey ${id.slice(0, 100)} not found.`);
    }
    await context.sessions.removePasskey(id);
    return { status: 204 };
  },
});
