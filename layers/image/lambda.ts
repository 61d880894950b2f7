import { serveInvocations } from "./runtime.ts";

/** What the container runs where Lambda has started it: the converter of a lane, as the zipped functions run it. */

await serveInvocations(
  process.env.AWS_LAMBDA_RUNTIME_API ?? "",
  async () => (await import("../../functions/events/convert-file.ts")).handler,
  (id) => {
    // The logger reads it from here, as it does where AWS's own client runs.
    process.env._X_AMZN_TRACE_ID = id ?? "";
  },
);
