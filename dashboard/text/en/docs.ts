/** Texts of the quick start. */
export const docs = {
  title: "Quick start",
  lead: "Send a file, name a format, get the result: one request, in any language.",
  key: {
    title: "1. Get your API key",
    filled:
      "The examples below contain the key that you just created. It is available only until you reload this page.",
    prefix: (prefix: string) =>
      `Your newest key starts with ${prefix}. We do not keep a copy of it. Paste it here to use it in the examples; it stays on this page and is not stored.`,
    none: "You have no API keys yet.",
    signedOut: "The examples need an API key. Sign in to create one. It takes a minute and needs no password.",
    paste: "API key",
    wrong: "This is not a complete key. Keys start with af_live_ or af_test_ and are about 56 characters long.",
    pasted: "The examples use your key.",
    create: "Create key",
    name: "Quick start",
    remove: "Remove key",
    signIn: "Sign in",
  },
  run: {
    title: "2. Run an example",
    lead: "Each example is complete: it creates a small table, converts it to JSON, and saves the result. It counts as one request; with the TypeScript client, which uploads first, as three.",
    language: "Programming language",
    curl: "curl",
    client: "TypeScript",
    fetch: "fetch",
    requests: "Python",
    urllib: "Python, no packages",
    clientNote: "The client retries network failures and uploads large files in parts. Build it from the project: ",
    fetchNote: "Node.js 18 or later. Keep the key on a server: in a web page, anyone can read it.",
    requestsNote: "pip install requests",
    urllibNote: "Needs only the standard library.",
    curlNote: "Needs only a shell and curl.",
    code: (language: string) => `Example: ${language}`,
  },
  more: {
    title: "3. Build your integration",
    wait: "Wait for the result",
    waitText:
      "With wait=25, the response arrives when the conversion ends, or after 25 seconds with the current state of the job. Repeat the request until the job has ended.",
    idempotency: "Retry safely",
    idempotencyText:
      "If the connection breaks, you cannot know whether a request was accepted. Send it again with the same Idempotency-Key: it is processed only once and counts once.",
    webhooks: "Webhooks",
    webhooksText:
      "Instead of polling, get a webhook when a job ends: set webhook_url for the job, or one URL for all jobs. Messages are signed according to Standard Webhooks.",
    webhooksLink: "Set up webhooks",
    limits: "Limits",
    limitsText:
      "Uploads, conversions, and downloads count toward your monthly quota. Each response has the remaining requests in RateLimit. Above the limit, the response is 429 with Retry-After.",
    examples: "Example",
  },
  errors: {
    title: "Errors",
    lead: "Errors are problem details (RFC 9457). Your program should check code, which is stable; detail says what is wrong and how to fix it.",
    request: "Request errors",
    job: "Conversion errors",
    upload: "Upload errors",
    code: "Code",
    status: "Status",
    meaning: "Meaning",
    retry: "Retry",
    show: "Show all errors",
  },
  links: {
    title: "More",
    reference: "API reference: read about and try every operation",
    openapi: "OpenAPI document, for client generators",
    formats: "Formats: all conversions and their options",
    status: "Service status",
  },
};
