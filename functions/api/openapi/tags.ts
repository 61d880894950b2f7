/** The groups of operations, in the order of the document. */
export const tags = {
  Uploads: "Upload a file in one request, in parts, or from a URL.",
  Conversions: "Convert files and track their progress.",
  Pipelines: "Convert in several steps, with several results, and save settings as presets.",
  Downloads: "Download results.",
  Formats: "List supported formats, conversions and options.",
  Account: "View the plan, quota and usage; change the plan and the account settings.",
  Keys: "Create, rotate and revoke API keys. Requires a session.",
  Webhooks: "List and redeliver webhook messages; manage the signing secret.",
  Storages: "Save storages to export results to and to import files from.",
  Sessions: "Sign in to an account in a browser with an emailed code or a passkey, and sign out.",
  Service: "The OpenAPI document, the status, and the health check.",
} as const;

export type TagName = keyof typeof tags;
