import { RequestError } from "../domain/errors.ts";
import { VISITORS_PER_NETWORK_DAY } from "../domain/sign-in-limits.ts";
import { newVisitor } from "../domain/visitors.ts";
import { takeOfNetwork } from "./allowances.ts";
import { http, type Operation } from "./http.ts";
import { checkSameOrigin } from "./same-origin.ts";
import { signIn } from "./sign-in.ts";

/** Lets somebody try a few small files without an account, for a day. */
export const createVisitorSession: Operation = (context) => async (request) => {
  if (context.visitors !== true) {
    throw new RequestError("not_offered", "This deployment is for accounts only: sign in to convert files.");
  }
  checkSameOrigin(request);
  await takeOfNetwork(context, request, {
    name: "visitors",
    allowance: VISITORS_PER_NETWORK_DAY,
    text: "Too many visitors came from your network today",
  });
  const account = newVisitor(request.now, context.random);
  await context.accounts.createAccount(account);
  return signIn(context, request, { account, by: "visitor" });
};

export const handler = http("createVisitorSession", createVisitorSession);
