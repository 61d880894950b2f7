import { serveInvocations } from "./runtime.ts";

/** Entry point of the container on Lambda: the converter of a lane, like the zipped functions. */

await serveInvocations(
  process.env.AWS_LAMBDA_RUNTIME_API ?? "",
  async () => (await import("../../functions/events/convert-file.ts")).handler,
  (id) => {
    // The logger reads the trace ID from this variable, as with the AWS runtime client.
    process.env._X_AMZN_TRACE_ID = id ?? "";
  },
);
