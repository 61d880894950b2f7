import { RequestError } from "../../domain/errors.ts";
import { operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { param } from "../request.ts";

/** Ends a session of the account on any device: it is rejected from the next request on. */
export const endSession = operation({
  id: "endSession",
  methods: ["DELETE"],
  path: "/api/v1/session/devices/{id}",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  tag: "Sessions",
  summary: "End a session",
  description: "Signs out one device of the member who is signed in. Its session is rejected from the next request on.",
  parameters: ["sessionId"],
  answers: { 204: { description: "The session was ended." } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const id = param(request, "id");
    const session = (await context.sessions.sessionsOf(request.accountId)).find(
      (each) => each.id === id && each.memberId === request.session?.memberId,
    );
    if (session === undefined) {
      throw new RequestError("not_found", `Session ${id} not found.`);
    }
    await context.sessions.endSession(session.hash);
    return { status: 204 };
  },
});
