import { timestamp } from "../times.ts";
import type { PresetView } from "./pipeline-views.ts";

/** Saved settings of conversions, by a name that is unique in the account. */
export interface Preset {
  readonly accountId: string;
  readonly name: string;
  readonly targetFormat?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Steps as in a request. */
  readonly steps?: readonly Readonly<Record<string, unknown>>[];
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** @returns the preset as the API returns it */
export const presetView = ({ name, targetFormat, options, steps, updatedAt }: Preset): PresetView => ({
  name,
  target_format: targetFormat ?? null,
  options: { ...options },
  steps: steps === undefined ? null : steps.map((step) => ({ ...step })),
  updated_at: timestamp(updatedAt),
});
