/** What operations are grouped by, in the order of the document. */
export const tags = {
  Uploads: "Bring a file: in the request, in parts, or from a URL.",
  Conversions: "Turn files into other formats, and look how far that is.",
  Downloads: "Fetch what came of it.",
  Formats: "See what can become what, and with which options.",
  Account: "See plan, quota and use; change the plan, and what holds for all jobs.",
  Keys: "Make, replace and revoke API keys, signed in on the dashboard.",
  Webhooks: "Be told when a job ends, and see what was told.",
  Sessions: "Sign in to an account in a browser, by a code or a passkey, and sign out.",
  Service: "This document, and whether the service answers.",
} as const;

export type TagName = keyof typeof tags;
