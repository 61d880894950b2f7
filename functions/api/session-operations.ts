import type { OperationDescription } from "./operations.ts";

/** What the OpenAPI document says of the operations for who is signed in, or is about to be: see operations.ts. */

/** What every body of JSON can get wrong. */
const BODY = ["malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type"] as const;

export const sessionOperations = {
  createSignInCode: {
    tag: "Sessions",
    text: "Sends six digits to an address, which `createSession` takes within ten minutes. The answer is the same whether an account has the address or not; so are the limits: 5 codes an hour and 20 a day to one address, 30 an hour from one network.",
    body: ["codeRequest"],
    answers: { "202": { text: "The code is on its way.", examples: ["codeSent"] } },
    errors: [...BODY, "rate_limited", "not_offered"],
  },
  createSession: {
    tag: "Sessions",
    text: "Signs in by a code, and opens an account of the plan `free` for an address that has none. A code works once and can be tried five times. The session comes as a cookie that scripts cannot read; it holds 30 days.",
    body: ["codeSessionRequest"],
    answers: {
      "201": { text: "The browser is signed in.", examples: ["session"], headers: ["Set-Cookie"] },
    },
    errors: [...BODY, "cross_site", "wrong_code", "rate_limited"],
  },
  getSession: {
    tag: "Sessions",
    text: "Tells who is signed in, and what this deployment offers. Nobody is no error: `account` and `session` are null then.",
    answers: { "200": { text: "Who is signed in.", examples: ["session", "noSession", "visitorSession"] } },
    errors: [],
  },
  deleteSession: {
    tag: "Sessions",
    text: "Signs this browser out: the session ends at once, and its cookie goes.",
    answers: { "204": { text: "Nobody is signed in any more.", headers: ["Set-Cookie"] } },
    errors: [],
  },
  createVisitorSession: {
    tag: "Sessions",
    text: "Lets somebody try without an account, where the operator allows it: for a day, five files of at most 5 MB from one network, none of them fetched from a URL, without webhooks, keys and lists.",
    answers: {
      "201": { text: "The browser may convert files.", examples: ["visitorSession"], headers: ["Set-Cookie"] },
    },
    errors: ["cross_site", "rate_limited", "not_offered"],
  },
  listSessions: {
    tag: "Sessions",
    text: "Lists where the account is signed in, the session that was used last first.",
    answers: { "200": { text: "The sessions.", examples: ["deviceList"] } },
    errors: [],
  },
  endSession: {
    tag: "Sessions",
    text: "Ends a session of the account, here or elsewhere: it is refused from the next request on.",
    parameters: ["sessionId"],
    answers: { "204": { text: "The session has ended." } },
    errors: ["not_found"],
  },
  startPasskeySignIn: {
    tag: "Sessions",
    text: "Gives a challenge for a passkey. No address is needed: the browser offers those that it has for this host.",
    answers: { "200": { text: "The challenge, which holds five minutes.", examples: ["passkeyChallenge"] } },
    errors: ["passkey_refused", "rate_limited"],
  },
  createPasskeySession: {
    tag: "Sessions",
    text: "Signs in by a passkey, which has answered the challenge of `startPasskeySignIn`. The session is as that of `createSession`.",
    body: ["passkeySessionRequest"],
    answers: {
      "201": { text: "The browser is signed in.", examples: ["session"], headers: ["Set-Cookie"] },
    },
    errors: [...BODY, "cross_site", "passkey_refused", "rate_limited"],
  },
  startPasskey: {
    tag: "Sessions",
    text: "Gives a challenge for a new passkey of the account.",
    answers: { "200": { text: "The challenge, which holds five minutes.", examples: ["newPasskeyChallenge"] } },
    errors: ["limit_reached", "passkey_refused"],
  },
  createPasskey: {
    tag: "Sessions",
    text: "Adds a passkey, which has answered the challenge of `startPasskey`. An account has at most 20.",
    body: ["passkeyRequest"],
    answers: { "201": { text: "The passkey can be used.", examples: ["passkey"] } },
    errors: [...BODY, "limit_reached", "passkey_refused"],
  },
  listPasskeys: {
    tag: "Sessions",
    text: "Lists the passkeys of the account, the newest first.",
    answers: { "200": { text: "The passkeys.", examples: ["passkeyList"] } },
    errors: [],
  },
  deletePasskey: {
    tag: "Sessions",
    text: "Removes a passkey: nobody signs in by it any more. Sessions that it has begun go on until they are ended.",
    parameters: ["passkeyId"],
    answers: { "204": { text: "The passkey is gone." } },
    errors: ["not_found"],
  },
} as const satisfies Record<string, OperationDescription>;
