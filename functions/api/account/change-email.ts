import { RequestError } from "../../domain/errors.ts";
import { newCode } from "../../domain/sessions/sign-in-codes.ts";
import { addressChangedMail } from "../../domain/sessions/sign-in-mail.ts";
import { example, operation } from "../operation.ts";
import { allowanceOnly, keyed, signedIn } from "../permissions.ts";
import { CODE_ATTRIBUTES, codeSessionRequest, provenAddress } from "../sign-in/proven-address.ts";
import { ownerView } from "../sign-in/session-view.ts";
import { requireAccount } from "./require-account.ts";

const SESSION = signedIn("email", "accountId");

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
        records: ["acc_*", "cha_*", "email#*", "session#*", "signing"],
        attributes: [...new Set([...SESSION.keys.attributes, ...CODE_ATTRIBUTES])],
      },
      quotas: { attributes: [...new Set([...SESSION.quotas.attributes, ...allowanceOnly.attributes])] },
    },
    mails: true,
  },
  tag: "Account",
  summary: "Change the email address",
  description:
    "Replaces the email address of the account. Request a code for the new address with `createSignInCode` first: it proves that you receive mail there. The previous address gets a message.",
  requests: ["newAddressCode"],
  answers: { 200: { description: "The updated account.", examples: ["owner"] } },
  errors: ["wrong_code", "email_taken", "rate_limited"],
  examples: ({ challengeId }) => ({
    newAddressCode: example("CodeSessionRequest", "The code that was emailed to the new address", {
      challenge_id: challengeId,
      code: newCode((count) => new Uint8Array(count).fill(7)),
    }),
  }),
  body: codeSessionRequest,
  run: (context) => async (request) => {
    const account = requireAccount(request);
    const email = await provenAddress(context, request);
    if ((await context.accounts.setEmail(account.id, email)) === "email_taken") {
      throw new RequestError("email_taken", `Another account has the address ${email}.`);
    }
    if (email !== account.email.toLowerCase()) {
      await context.mail?.send(addressChangedMail(account.email, email));
    }
    return { status: 200, body: ownerView({ ...account, email }) };
  },
});
