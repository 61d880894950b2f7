import type { AccountListView } from "../../domain/accounts/member-views.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { ownAccounts } from "./own-accounts.ts";
import { requireMember } from "./require-member.ts";

/** Lists the accounts of the person who is signed in. */
export const listOwnAccounts = operation({
  id: "listOwnAccounts",
  methods: ["GET"],
  path: "/api/v1/session/accounts",
  auth: "session",
  permissions: { tables: keyed, only: signedIn() },
  tag: "Sessions",
  summary: "List own accounts",
  description: "Lists the accounts that the person who is signed in can switch to with `switchAccount`.",
  answers: { 200: { description: "The accounts.", examples: ["accountList"] } },
  examples: ({ account }) => ({
    accountList: example("AccountList", "One account", {
      accounts: [{ id: account.id, email: account.email, role: "owner", current: true }],
    } satisfies AccountListView),
  }),
  run: (context) => async (request) => {
    const seats = await ownAccounts(context, requireMember(request).email);
    const body: AccountListView = {
      accounts: seats.map(({ account: { id, email }, member }) => ({
        id,
        email,
        role: member.role,
        current: id === request.accountId,
      })),
    };
    return { status: 200, body };
  },
});
