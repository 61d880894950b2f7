/** What operations are grouped by, in the order of the document. */
export const tags = {
  Uploads: "Bring a file: in the request, in parts, or from a URL.",
  Conversions: "Turn files into other formats, and look how far that is.",
  Downloads: "Fetch what came of it.",
  Formats: "See what can become what, and with which options.",
  Account: "See plan and quota.",
  Webhooks: "Be told when a job ends, and see what was told.",
  Service: "This document, and whether the service answers.",
} as const;

export type TagName = keyof typeof tags;
