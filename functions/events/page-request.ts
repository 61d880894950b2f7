import type { ConversionTask } from "../engines/core/task.ts";
import type { JobKeys } from "../logger.ts";

/** A conversion for the function that opens web pages. It has no permissions, so it gets all it needs by signed URLs. */
export interface PageRequest {
  readonly job: JobKeys;
  /** The task with a URL in place of each path. */
  readonly task: Omit<ConversionTask, "folder">;
  /** Where the result is stored by PUT. */
  readonly resultUrl: string;
  readonly timeoutMs: number;
}
