import type { OperationDescription } from "./operations.ts";
import type { OperationId } from "./routes.ts";

/** What the OpenAPI document says of keys, of use and of plans: rows of the table in operations.ts. */

type Rows = Readonly<Partial<Record<OperationId, OperationDescription>>>;

export const keyOperations = {
  getUse: {
    tag: "Account",
    text: "Tells what the account used in a UTC month: in all, and on each day by operation and by how its jobs ended. Months up to two years ago are kept. What a test key does is not counted.",
    parameters: ["month"],
    answers: { "200": { text: "The use of the month.", examples: ["use"] } },
    errors: ["invalid_request"],
  },
  listKeys: {
    tag: "Keys",
    text: "Lists all keys of the account, the newest first, each with when it was used last. The keys themselves are shown only when they are made.",
    answers: { "200": { text: "The keys.", examples: ["keyList"] } },
    errors: [],
  },
  createKey: {
    tag: "Keys",
    text: "Makes a key, and shows it in this answer alone: what is kept is its SHA-256. An account has at most 50 that can be used.",
    body: ["keyRequest"],
    answers: { "201": { text: "The key.", examples: ["newKey"] } },
    errors: ["malformed_json", "invalid_request", "limit_reached", "payload_too_large", "unsupported_media_type"],
  },
  deleteKey: {
    tag: "Keys",
    text: "Revokes a key: it is refused from the next request on.",
    parameters: ["keyId"],
    answers: { "204": { text: "The key is revoked." } },
    errors: ["not_found"],
  },
  rotateKey: {
    tag: "Keys",
    text: "Makes a key of the same name, kind, scopes and expiry. The one before it holds beside it for the overlap, a day where nothing else is said, so that programs can change over.",
    parameters: ["keyId"],
    body: ["rotation"],
    answers: { "201": { text: "The new key.", examples: ["newKey"] } },
    errors: [
      "malformed_json",
      "invalid_request",
      "not_found",
      "limit_reached",
      "expired",
      "payload_too_large",
      "unsupported_media_type",
    ],
  },
  choosePlan: {
    tag: "Account",
    text: "Picks a plan. `free` holds at once; `api` is paid for at `url` where the deployment takes payments, and is asked of the operator otherwise; `enterprise` is always asked for. Who has a subscription ends it at `url`, and it holds as long as it is paid for.",
    body: ["planChoice"],
    answers: { "200": { text: "What became of it.", examples: ["planPayment", "planRequested", "planActive"] } },
    errors: ["malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type"],
  },
  openBilling: {
    tag: "Account",
    text: "Leads to a page of the payment service with bills, the card, and the end of the subscription. The address holds some minutes.",
    answers: { "200": { text: "Where the page is.", examples: ["billingPage"] } },
    errors: ["not_found", "not_offered"],
  },
  receiveBillingEvent: {
    tag: "Service",
    text: "Takes the messages of the payment service, signed by it. Each is only the reason to ask how the subscription stands, so they may come twice and in any order; one that gets an error comes again.",
    parameters: ["stripeSignature"],
    body: ["billingEvent"],
    answers: { "204": { text: "The message is taken." } },
    errors: ["malformed_json", "invalid_request", "payload_too_large", "not_offered"],
  },
  updateAccount: {
    tag: "Account",
    text: "Changes where the end of jobs is told that name no `webhook_url`, and how long files stay. It holds for jobs from now on; what is not named stays.",
    body: ["accountChanges"],
    answers: { "200": { text: "The account as it is now.", examples: ["owner"] } },
    errors: ["malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type"],
  },
} as const satisfies Rows;
