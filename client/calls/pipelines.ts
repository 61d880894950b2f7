import type { Pipeline, PipelineDefinition, PipelineList, Preset, PresetList, PresetSettings } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import { idempotencyKey, type Service, WAIT_SECONDS } from "../http/request.ts";
import { pollOnce } from "../http/retry.ts";
import { type Following, pipelineEvents } from "./events.ts";
import type { PageFilter } from "./query.ts";
import { queryOf } from "./query.ts";

/** The files of a pipeline that has ended, by the names of their steps. */
export interface PipelineResult<File> {
  readonly pipeline: Pipeline;
  readonly files: Readonly<Record<string, File>>;
}

export interface PipelineWaiting {
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of all steps in percent. */
  readonly onProgress?: ((percent: number) => void) | undefined;
}

/** Conversions in several steps, with several results. */
export interface Pipelines<Input, File> {
  /**
   * Uploads the inputs, runs the pipeline and waits for its end. Its results are downloaded when they are read.
   *
   * @param inputs by the names that the steps read them under
   * @throws AnyformError with the error of the first step that failed; the signal's reason if it aborts, which cancels the
   * pipeline
   */
  run(
    definition: PipelineDefinition,
    inputs: Readonly<Record<string, Input>>,
    waiting?: PipelineWaiting,
  ): Promise<PipelineResult<File>>;
  /** Starts a pipeline of uploads. @param inputs IDs of uploads by name */
  start(definition: PipelineDefinition, inputs: Readonly<Record<string, string>>): Promise<Pipeline>;
  status(id: string): Promise<Pipeline>;
  /** @returns the pipeline now, and at each change of its steps, until all have ended */
  events(id: string, following?: Following): AsyncGenerator<Pipeline, void, undefined>;
  /** Cancels all steps that have not ended. */
  cancel(id: string): Promise<Pipeline>;
  /** Deletes a pipeline that has ended, with its results. */
  remove(id: string): Promise<void>;
  /** @returns a page of pipelines, newest first */
  list(filter?: PageFilter): Promise<PipelineList>;
}

/** Saved settings of conversions. */
export interface Presets {
  /** Adds a preset, or replaces the one with this name. */
  save(name: string, settings: PresetSettings): Promise<Preset>;
  get(name: string): Promise<Preset>;
  list(): Promise<PresetList>;
  remove(name: string): Promise<void>;
}

/** How a platform uploads inputs and returns results. */
interface Files<Input, File> {
  readonly upload: (input: Input, options: { signal?: AbortSignal | undefined }) => Promise<{ upload_id: string }>;
  readonly resultOf: (jobId: string) => Promise<File>;
}

/** Longest wait in milliseconds: steps run one after another, and each takes at most two hours. */
const WAIT_MS_MAX = 24 * 3_600_000;

export const pipelinesOf = <Input, File>(
  service: Service,
  { upload, resultOf }: Files<Input, File>,
): Pipelines<Input, File> => {
  const start: Pipelines<Input, File>["start"] = (definition, inputs) =>
    service.json({
      method: "POST",
      to: "pipelines",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey() },
      body: () => JSON.stringify({ ...definition, inputs }),
    });
  const cancel = (id: string): Promise<Pipeline> => service.json({ method: "POST", to: `${pathOf(id)}/cancel` });
  return {
    run: async (definition, inputs, waiting = {}) => {
      const ids: Record<string, string> = {};
      for (const [name, input] of Object.entries(inputs)) {
        ids[name] = (await upload(input, { signal: waiting.signal })).upload_id;
      }
      waiting.signal?.throwIfAborted();
      const pipeline = await start(definition, ids);
      try {
        const ended = await endOf(service, pipeline, waiting);
        const files: Record<string, File> = {};
        for (const { name, job_id } of ended.steps.filter(({ is_result }) => is_result)) {
          files[name] = await resultOf(job_id);
        }
        return { pipeline: ended, files };
      } catch (error) {
        if (waiting.signal?.aborted) {
          await cancel(pipeline.id).catch(() => undefined);
        }
        throw error;
      }
    },
    start,
    status: (id) => service.json({ to: pathOf(id) }),
    events: (id, following) => pipelineEvents(service, id, following),
    cancel,
    remove: (id) => service.done({ method: "DELETE", to: pathOf(id) }),
    list: (filter = {}) => service.json({ to: `pipelines${queryOf(filter)}` }),
  };
};

export const presetsOf = (service: Service): Presets => ({
  save: (name, settings) =>
    service.json({
      method: "PUT",
      to: presetPath(name),
      headers: { "content-type": "application/json" },
      body: () => JSON.stringify(settings),
    }),
  get: (name) => service.json({ to: presetPath(name) }),
  list: () => service.json({ to: "presets" }),
  remove: (name) => service.done({ method: "DELETE", to: presetPath(name) }),
});

const pathOf = (id: string): string => `pipelines/${encodeURIComponent(id)}`;
const presetPath = (name: string): string => `presets/${encodeURIComponent(name)}`;

const endOf = async (service: Service, begun: Pipeline, { signal, onProgress }: PipelineWaiting): Promise<Pipeline> => {
  const end = Date.now() + WAIT_MS_MAX;
  let pipeline = begun;
  while (pipeline.finished_at === null) {
    signal?.throwIfAborted();
    onProgress?.(pipeline.progress);
    if (Date.now() > end) {
      throw new AnyformError({ code: "timed_out", detail: `Pipeline ${pipeline.id} did not end within a day.` });
    }
    const to = pathOf(pipeline.id);
    const waitSeconds = onProgress === undefined ? WAIT_SECONDS : WATCHED_SECONDS;
    pipeline = await pollOnce(() => service.json<Pipeline>({ to, waitSeconds, signal }), {
      hasChanged: (next) => next.finished_at !== null,
      signal,
    });
  }
  const failed = pipeline.steps.find(({ error }) => error !== null);
  if (pipeline.status !== "completed") {
    const detail =
      failed?.error == null
        ? `Pipeline ${pipeline.id} was ${pipeline.status}.`
        : `Step ${failed.name}: ${failed.error.detail}`;
    throw new AnyformError({ code: failed?.error?.code ?? "cancelled", detail });
  }
  onProgress?.(100);
  return pipeline;
};

/** Interval of progress updates. */
const WATCHED_SECONDS = 2;
