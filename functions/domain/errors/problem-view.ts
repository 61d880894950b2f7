import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { codeOf, flag, id, text } from "../fields.ts";
import { jobErrors } from "./job-errors.ts";
import { requestErrors } from "./request-errors.ts";

/** Problem details (RFC 9457) as the API returns them. */
export const problemSchema = described(
  z.strictObject({
    type: text("`urn:anyform:error:` and the code. Identifies the type of the error; it is not a link."),
    title: text("The code in words."),
    status: described(z.int(), "The HTTP status."),
    detail: text("What is wrong with this request, and how to fix it."),
    instance: text("The path of the request, without secrets."),
    code: codeOf(
      { ...requestErrors, ...jobErrors },
      "Error code. Stable: use it in programs. The code of a job error if a conversion in one call failed.",
    ),
    request_id: text("The request ID to include in support requests. Also in `X-Request-Id`."),
    retryable: flag("Whether the same request can succeed later."),
    errors: z.optional(
      described(
        z.array(
          z.strictObject({
            pointer: text("JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter."),
            code: text("Code of the validation error."),
            detail: text("A description of the validation error."),
          }),
        ),
        "Validation errors of the request, at most 50.",
      ),
    ),
    job_id: z.optional(id("job", "The failed job, if a conversion in one call failed.")),
    supported_targets: z.optional(described(z.array(z.string()), "Formats the file can be converted to instead.")),
  }),
  "Problem details (RFC 9457).",
);

export type ProblemView = z.infer<typeof problemSchema>;
