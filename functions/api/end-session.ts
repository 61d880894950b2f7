import { RequestError } from "../domain/errors.ts";
import { http, type Operation } from "./http.ts";
import { param } from "./request.ts";

/** Ends a session of the account, wherever it is: it is refused from the next request on. */
export const endSession: Operation = (context) => async (request) => {
  const id = param(request, "id");
  const session = (await context.sessions.sessionsOf(request.accountId)).find((each) => each.id === id);
  if (session === undefined) {
    throw new RequestError("not_found", `There is no session ${id}.`);
  }
  await context.sessions.endSession(session.hash);
  return { status: 204 };
};

export const handler = http("endSession", endSession);
