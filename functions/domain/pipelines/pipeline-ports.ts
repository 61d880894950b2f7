import type { QuotaClaim } from "../accounts/quotas.ts";
import type { Job } from "../jobs/job.ts";
import type { Creation, IdempotencyClaim, Page } from "../ports.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Preset } from "./preset.ts";

/** The ports of pipelines and presets. */

/** Everything that is recorded with a new pipeline. */
export interface PipelineCreation {
  readonly pipeline: Pipeline;
  /** The jobs of all steps. */
  readonly jobs: readonly Job[];
  /** The results of the pipeline, which are counted together. @default nothing is counted */
  readonly quota: QuotaClaim | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  /** The ID that a repeated request finds: that of the pipeline, or of the job that the response shows. */
  readonly answers: string;
}

export interface PipelineStore {
  /**
   * Adds the pipeline, its jobs, the idempotency record and the counted requests in one transaction. The record of a
   * pipeline never changes afterward.
   */
  createPipeline(creation: PipelineCreation): Promise<Creation>;
  /** Strongly consistent. */
  getPipeline(id: string): Promise<Pipeline | undefined>;
  /** @returns pipelines of the account, newest first, after `after` (the `next` of a page) */
  listPipelines(query: {
    readonly accountId: string;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<Pipeline>>;
  /** Deletes the record and its webhook message; its jobs are deleted before. A missing one is not an error. */
  erasePipeline(id: string): Promise<void>;
}

export interface PresetStore {
  /** Adds the preset, or replaces the one with its name. */
  savePreset(preset: Preset): Promise<void>;
  getPreset(accountId: string, name: string): Promise<Preset | undefined>;
  /** @returns the presets of the account, unordered; the newest may be missing for a moment */
  presetsOf(accountId: string): Promise<readonly Preset[]>;
  /** @returns whether it existed */
  removePreset(accountId: string, name: string): Promise<boolean>;
}
