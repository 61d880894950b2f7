/** Texts of the quick start. */
export const docs = {
  title: "Quick start",
  lead: "Send a file, name a format, fetch the result: three requests, from any language.",
  key: {
    title: "1. Your key",
    filled: "The examples below have the key that you have just made. It is known only until this page is reloaded.",
    prefix: (prefix: string) =>
      `Your newest key begins with ${prefix}. We keep no copy of it: paste it here to have it in the examples. It stays in this page and is not stored.`,
    none: "You have no key yet.",
    signedOut: "The examples need an API key. Sign in to make one: it takes a minute and no password.",
    paste: "API key",
    wrong: "That is not a whole key. One begins with af_live_ or af_test_ and has some 56 characters.",
    pasted: "The examples have your key.",
    make: "Make a key",
    name: "Quick start",
    forget: "Take it out again",
    signIn: "Sign in",
  },
  run: {
    title: "2. Run it",
    lead: "Each example is whole: it makes a small table, sends it, has it converted to JSON, and saves the result. It counts as three requests.",
    language: "Programming language",
    curl: "curl",
    client: "TypeScript",
    fetch: "fetch",
    requests: "Python",
    urllib: "Python, no packages",
    clientNote:
      "The client tries again what fails on the way, and sends large files in parts. It is built from the project: ",
    fetchNote: "Node 18 or later. In a page of yours the key would be everybody’s: keep it on a server.",
    requestsNote: "pip install requests",
    urllibNote:
      "urllib would send your key along to where the file lies, which refuses it. So it asks for the address first.",
    curlNote: "A shell and curl, nothing else.",
    code: (language: string) => `Example: ${language}`,
  },
  more: {
    title: "3. What a program should know",
    wait: "Waiting",
    waitText:
      "With wait=25 an answer comes when the conversion ends, else after 25 seconds with the job as it then stands. Ask again until it has ended.",
    idempotency: "Trying again",
    idempotencyText:
      "When a request broke off, nobody knows whether it was taken. Send it again with the same Idempotency-Key: what was done is not done again, and counts once.",
    webhooks: "Being told",
    webhooksText:
      "Rather than ask, have a webhook told when a job ends: name a webhook_url with the job, or set one for all jobs. Each message is signed as Standard Webhooks has it.",
    webhooksLink: "Set up webhooks",
    limits: "Limits",
    limitsText:
      "Uploads, conversions and downloads count towards the month. Each answer says in RateLimit what is left; over it comes 429 with Retry-After.",
    examples: "Example",
  },
  errors: {
    title: "Errors",
    lead: "Errors are problem details (RFC 9457). Go by code, which is stable; detail says what was wrong and what would be right.",
    request: "Of a request",
    job: "Of a conversion",
    upload: "Of an upload",
    code: "Code",
    status: "Status",
    meaning: "Meaning",
    again: "Try again",
    show: "Show all errors",
  },
  links: {
    title: "Further",
    reference: "API reference: every operation, to read and to try",
    openapi: "OpenAPI document, for generators of clients",
    formats: "What can this become? All formats and their options",
    status: "Whether the service is well",
  },
};
