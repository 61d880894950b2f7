import { founderOf, memberWith } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import { newCode } from "../../domain/sessions/sign-in-codes.ts";
import { addressChangedMail } from "../../domain/sessions/sign-in-mail.ts";
import { moveSeats } from "../members/move-seats.ts";
import { requireMember } from "../members/require-member.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, keyed, signedIn } from "../permissions.ts";
import { CODE_ATTRIBUTES, codeSessionRequest, provenAddress } from "../sign-in/proven-address.ts";
import { ownerView } from "../sign-in/session-view.ts";
import { requireAccount } from "./require-account.ts";

const SESSION = signedIn("email", "accountId", "accounts", "team");

/** Replaces the address of the account by one where the owner has received a code, and informs the previous address. */
export const changeEmail = operation({
  id: "changeEmail",
  methods: ["POST"],
  path: "/api/v1/session/email",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "cha_*", "email#*", "seats#*", "session#*", "signing"],
        attributes: [...new Set([...SESSION.keys.attributes, ...CODE_ATTRIBUTES])],
      },
      quotas: { attributes: [...new Set([...SESSION.quotas.attributes, ...allowanceOnly.attributes])] },
    },
    mails: true,
  },
  tag: "Account",
  summary: "Change the email address",
  description:
    "Replaces the email address of the account. Request a code for the new address with `createSignInCode` first: it proves that you receive mail there. Only the member with the account's own address can change it, also in the accounts of others that they are a member of. The previous address gets a message.",
  requests: ["newAddressCode"],
  answers: { 200: { description: "The updated account.", examples: ["owner"] } },
  errors: ["wrong_code", "email_taken", "owner_required", "rate_limited"],
  examples: ({ challengeId }) => ({
    newAddressCode: example("CodeSessionRequest", "The code that was emailed to the new address", {
      challenge_id: challengeId,
      code: newCode((count) => new Uint8Array(count).fill(7)),
    }),
  }),
  body: codeSessionRequest,
  run: (context) => async (request) => {
    const account = requireAccount(request);
    const member = requireMember(request);
    if (member.id !== founderOf(account).id) {
      throw new RequestError("owner_required", `Only ${account.email} can change the address of this account.`);
    }
    const email = await provenAddress(context, request);
    const isOther = email !== account.email.toLowerCase();
    if (isOther && memberWith(account, email) !== undefined) {
      throw new RequestError("email_taken", `${email} already is a member of this account. Remove the member first.`);
    }
    await moveSeats(context, account.email, email);
    if ((await context.accounts.setEmail(account.id, email)) === "email_taken") {
      throw new RequestError("email_taken", `Another account has the address ${email}.`);
    }
    if (isOther) {
      await context.mail?.send(addressChangedMail(account.email, email));
    }
    return { status: 200, body: ownerView({ ...account, email }) };
  },
});
