import { uploadOptions } from "../../domain/conversions/options.ts";
import { type FieldError, RequestError } from "../../domain/errors.ts";
import { formatNamed } from "../../domain/formats/formats.ts";
import { newId } from "../../domain/ids.ts";
import type { Job } from "../../domain/jobs/job.ts";
import { PIPELINE_RESULTS_MAX, RECORD_RETENTION_MS } from "../../domain/limits.ts";
import { graphOf, type LinkedStep } from "../../domain/pipelines/graph.ts";
import { operationNamed } from "../../domain/pipelines/operations.ts";
import type { Pipeline, PipelineStep } from "../../domain/pipelines/pipeline.ts";
import type { Context } from "../../domain/ports.ts";
import { summaryOf } from "../../domain/schema.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import type { CompleteRequest } from "../conversion/conversion-request.ts";
import { chooseRoute, type Uploads } from "../jobs/choose-route.ts";
import { jobFor } from "../jobs/new-job.ts";
import type { ApiRequest } from "../request.ts";
import type { StepRequest } from "./step-request.ts";

/** The steps of a pipeline, and the uploads that they read by name. */
export interface PipelineSource {
  readonly inputs: ReadonlyMap<string, ReadyUpload>;
  readonly steps: readonly PlacedStep[];
}

/** A step, and where it is in the request. */
export type PlacedStep = StepRequest & {
  /** JSON pointer. @default `/steps/` and its number */
  readonly pointer?: string;
};

/** A checked pipeline and its jobs. */
export interface CompiledPipeline {
  readonly pipeline: Pipeline;
  /** In the order of the steps. */
  readonly jobs: readonly Job[];
}

type Step = LinkedStep<PlacedStep>;

/** A step, as the later steps see it. */
interface Compiled {
  readonly step: PipelineStep;
  readonly job: Job;
  /** Its result as an input: in the format of the result, and without bytes. */
  readonly output: ReadyUpload;
}

/**
 * Checks a pipeline completely before anything is stored: names, cycles, conversions and options.
 *
 * @param request without the quota claim, whose count is the number of results
 * @throws RequestError with a pointer to the step and the option
 */
export const compilePipeline = async (
  context: Context,
  request: ApiRequest<unknown>,
  { inputs, steps }: PipelineSource,
): Promise<CompiledPipeline> => {
  const graph = graphOf(steps, [...inputs.keys()]);
  if ("errors" in graph) {
    throw refused(graph.errors);
  }
  const results = resultsOf(graph.steps);
  const id = newId("pipeline", request.now, context.random);
  const compiled = new Map<string, Compiled>();
  for (const step of graph.steps) {
    const known = { id, inputs, compiled, isResult: results.has(step.name), isRead: isRead(graph.steps, step) };
    compiled.set(step.name, await compileStep(context, request, step, known));
  }
  return {
    pipeline: {
      id,
      accountId: request.accountId,
      steps: [...compiled.values()].map(({ step }) => step),
      inputs: Object.fromEntries([...inputs].map(([name, upload]) => [name, upload.id])),
      createdAt: request.now,
      recordExpiresAt: request.now + RECORD_RETENTION_MS,
    },
    jobs: [...compiled.values()].map(({ job }) => job),
  };
};

/** @returns the number of results, which are counted */
export const resultCount = ({ steps }: Pick<Pipeline, "steps">): number =>
  steps.filter(({ isResult }) => isResult).length;

const isRead = (steps: readonly Step[], { name }: Step): boolean => steps.some(({ from }) => from.includes(name));

const resultsOf = (steps: readonly Step[]): ReadonlySet<string> => {
  const results = steps.filter((step) => step.result ?? !isRead(steps, step));
  const unused = steps.filter((step) => step.result === false && !isRead(steps, step));
  if (unused.length > 0) {
    throw refused(
      unused.map(({ name, index }) => {
        const detail = `No step reads the result of ${name}, so it must be a result of the pipeline.`;
        return { pointer: `/steps/${index}/result`, code: "unused", detail };
      }),
    );
  }
  if (results.length > PIPELINE_RESULTS_MAX) {
    const detail = `A pipeline can have ${PIPELINE_RESULTS_MAX} results. This one has ${results.length}.`;
    throw refused([{ pointer: "/steps", code: "too_many", detail }]);
  }
  return new Set(results.map(({ name }) => name));
};

interface Known {
  /** The ID of the pipeline. */
  readonly id: string;
  readonly inputs: ReadonlyMap<string, ReadyUpload>;
  readonly compiled: ReadonlyMap<string, Compiled>;
  readonly isResult: boolean;
  readonly isRead: boolean;
}

const compileStep = async (
  context: Context,
  request: ApiRequest<unknown>,
  step: Step,
  known: Known,
): Promise<Compiled> => {
  try {
    const uploads = uploadsOf(step, known);
    const body = bodyOf(step, uploads, known);
    const { inputBytesMax, lane } = chooseRoute(context, uploads, body);
    const { webhook: _, endpoints: __, retentionMs, ...job } = await jobFor(context, { ...request, body }, uploads);
    const { name, operation, from } = step;
    const [waits, isIntermediate] = [from.some((source) => known.compiled.has(source)), !known.isResult];
    return {
      step: { name, operation, from, jobId: job.id, isResult: known.isResult, accepts: { inputBytesMax, lane } },
      job: {
        ...job,
        pipelineId: known.id,
        ...(waits && { waits }),
        ...(isIntermediate && { intermediate: true, quotaMonth: "" }),
        // A result that other steps read must not be deleted by its first download.
        ...(retentionMs !== undefined && !known.isRead && { retentionMs }),
      },
      output: { ...uploads[0], format: job.targetFormat, filename: job.filename, key: "", bytes: 0, sha256: "" },
    };
  } catch (error) {
    throw error instanceof RequestError ? inStep(step, error) : error;
  }
};

const uploadsOf = ({ operation, from, name }: Step, { inputs, compiled }: Known): Uploads => {
  const [first, ...further] = from.flatMap((source) => inputs.get(source) ?? compiled.get(source)?.output ?? []);
  if (first === undefined || (further.length > 0 && operationNamed(operation).many !== true)) {
    throw new RequestError("invalid_request", `\`${operation}\` reads one input, and ${name} has ${from.length}.`, {
      errors: [{ pointer: "/from", code: "too_many", detail: `Use \`merge\` or \`archive\` for several inputs.` }],
    });
  }
  return [first, ...further];
};

/** @returns the step as a request for a conversion */
const bodyOf = (
  { operation, target_format, options = {}, filename }: Step,
  uploads: Uploads,
  { inputs }: Known,
): CompleteRequest => {
  const { to, needs, many } = operationNamed(operation);
  if (needs !== undefined && !needs.some((option) => options[option] !== undefined)) {
    const detail = `\`${operation}\` needs one of these options: ${needs.join(", ")}.`;
    throw new RequestError("invalid_options", detail, { errors: [{ pointer: "/options", code: "required", detail }] });
  }
  const format = target_format ?? (to === "source" ? uploads[0].format : to);
  if (format === undefined) {
    const detail = "`convert` needs a `target_format`.";
    throw new RequestError("invalid_request", detail, {
      errors: [{ pointer: "/target_format", code: "required", detail }],
    });
  }
  const named = Object.entries(options).map(([name, value]) => [name, namedUpload(name, value, inputs)]);
  const ids = uploads.map(({ id }) => id);
  return {
    ...(many === true || ids.length > 1 ? { upload_ids: ids } : { upload_id: ids[0] }),
    target_format: formatNamed(format) ?? format,
    ...(named.length > 0 && { options: Object.fromEntries(named) }),
    ...(filename !== undefined && { filename }),
  };
};

const namedUpload = (option: string, value: unknown, inputs: Known["inputs"]): unknown =>
  typeof value === "string" && uploadOptions.has(option) ? (inputs.get(value)?.id ?? value) : value;

const refused = (errors: readonly FieldError[]): RequestError =>
  new RequestError("invalid_request", `Invalid pipeline. ${summaryOf(errors)}`, { errors: [...errors] });

/** @returns the error with pointers from the request, and paths by the name of the step: `steps.merge.options.quality` */
const inStep = ({ name, index, pointer: start }: Step, { code, message, extra }: RequestError): RequestError => {
  const place = start ?? `/steps/${index}`;
  const errors = (extra.errors ?? []).map(({ pointer, ...error }) => ({
    ...error,
    pointer: `${place}${pointer}`,
    detail: `steps.${name}${pointer.replaceAll("/", ".")}: ${error.detail}`,
  }));
  return new RequestError(code, `Step ${name}: ${message}`, {
    ...extra,
    errors: errors.length > 0 ? errors : [{ pointer: place, code, detail: `steps.${name}: ${message}` }],
  });
};
