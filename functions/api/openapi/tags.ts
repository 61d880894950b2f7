/** The groups of operations, in the order of the document. */
export const tags = {
  Uploads: "Upload a file in one request, in parts, or from a URL.",
  Conversions: "Convert files and track their progress.",
  Pipelines: "Convert in several steps, with several results, and save settings as presets.",
  Downloads: "Download results.",
  Formats: "List supported formats, conversions and options.",
  Account: "View the plan, quota and usage; change the plan and the account settings.",
  Requests: "Inspect the requests of the last 30 days, also refused ones.",
  Members: "Invite people to the account, change their roles, and remove them.",
  Keys: "Create, rotate and revoke API keys. Requires a session.",
  Webhooks: "Manage webhook endpoints and signing secrets; list and redeliver messages.",
  Storages: "Save storages to export results to and to import files from.",
  Sessions: "Sign in to an account in a browser with an emailed code or a passkey, and sign out.",
  Operators: "Manage the accounts of the deployment and see its state. Requires the session of an operator.",
  Service: "The OpenAPI document, the status, and the health check.",
} as const;

export type TagName = keyof typeof tags;
