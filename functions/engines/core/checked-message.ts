import * as z from "zod/mini";
import { BYTES_RESULT_MAX } from "../../domain/conversions/conversion-limits.ts";
import { jobErrors } from "../../domain/errors/job-errors.ts";
import type { JobErrorCode } from "../../domain/errors.ts";
import { type FormatId, formats } from "../../domain/formats/formats.ts";
import { type ConverterMessage, DETAIL_CHARACTERS_MAX } from "./messages.ts";

/**
 * The process has read an untrusted file, so its messages are validated like any untrusted input.
 *
 * @returns the message, or undefined when it is invalid
 */
export const converterMessage = (message: unknown): ConverterMessage | undefined => {
  const kind = typeof message === "object" && message !== null ? Object.keys(message)[0] : undefined;
  return kind !== undefined && Object.hasOwn(schemas, kind) ? schemas[kind]?.safeParse(message).data : undefined;
};

const text = (charactersMax: number) => z.string().check(z.maxLength(charactersMax));
const formatIds: ReadonlySet<unknown> = new Set(formats.map(({ id }) => id));
const formatId = z.custom<FormatId>((value) => formatIds.has(value));
const jobErrorCode = z.custom<JobErrorCode>((value) => typeof value === "string" && Object.hasOwn(jobErrors, value));

const reported = {
  timings: z
    .array(z.strictObject({ engine: text(100), from: formatId, to: formatId, durationMs: z.number() }))
    .check(z.maxLength(10)),
  warnings: z.array(z.strictObject({ code: text(100), detail: text(DETAIL_CHARACTERS_MAX) })).check(z.maxLength(100)),
};

const resultSchema = z.strictObject({ output: text(4_096), bundled: z.boolean(), ...reported });
const outputBytes = z.int().check(z.minimum(1), z.maximum(BYTES_RESULT_MAX));

/** The schemas of messages by their only property: a union would try one after the other. */
const schemas: Readonly<Record<string, z.ZodMiniType<ConverterMessage>>> = {
  progress: z.strictObject({ progress: z.number().check(z.minimum(0), z.maximum(100)) }),
  result: z.strictObject({ result: resultSchema }),
  made: z.strictObject({ made: z.strictObject({ outputBytes, ...reported }) }),
  prepared: z.strictObject({ prepared: z.literal(true) }),
  filesNeeded: z.strictObject({ filesNeeded: z.literal(true) }),
  helperNeeded: z.strictObject({ helperNeeded: z.literal(true) }),
  error: z.strictObject({
    error: z.strictObject({
      code: jobErrorCode,
      detail: text(DETAIL_CHARACTERS_MAX),
      cause: text(100_000),
      isRefusal: z.optional(z.boolean()),
    }),
  }),
};
