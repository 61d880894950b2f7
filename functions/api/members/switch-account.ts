import { storedMemberId } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { param } from "../request.ts";
import { ownSession } from "../sign-in/current-session.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { ownAccounts } from "./own-accounts.ts";
import { requireMember } from "./require-member.ts";

/** Continues in another account of the same person, with a new session that expires like the current one. */
export const switchAccount = operation({
  id: "switchAccount",
  methods: ["POST"],
  path: "/api/v1/session/accounts/{id}",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"] },
    only: signedIn("keys", "version"),
    lists: true,
    offers: true,
  },
  tag: "Sessions",
  summary: "Switch the account",
  description:
    "Replaces the session of this browser by one of another account that the same person is a member of. It expires when the current one would have.",
  parameters: ["accountId"],
  answers: { 201: { description: "Switched.", examples: ["session"], headers: ["Set-Cookie"] } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const id = param(request, "id");
    const seat = (await ownAccounts(context, requireMember(request).email)).find(({ account }) => account.id === id);
    if (seat === undefined) {
      throw new RequestError("not_found", `Account ${id.slice(0, 100)} not found.`);
    }
    const { account, member } = seat;
    const { by, hash, expiresAt } = ownSession(request);
    const answer = await signIn(context, request, { account, by, expiresAt, ...storedMemberId(account, member) });
    await context.sessions.endSession(hash);
    return answer;
  },
});
