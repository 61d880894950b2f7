import { serveInvocations } from "./runtime.ts";

/** Entry point of the container on Lambda: the converter of a lane, like the zipped functions, or the one for web pages. */

await serveInvocations(
  process.env.AWS_LAMBDA_RUNTIME_API ?? "",
  async (): Promise<(event: never) => Promise<unknown>> =>
    process.env.ANYFORM_FUNCTION === "open-page"
      ? (await import("../../functions/events/open-page.ts")).handler
      : (await import("../../functions/events/convert-file.ts")).handler,
  (id) => {
    // The logger reads the trace ID from this variable, as with the AWS runtime client.
    process.env._X_AMZN_TRACE_ID = id ?? "";
  },
);
