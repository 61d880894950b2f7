/** Progress of a conversion. Percent and bytes refer to the current phase. */
export interface Progress {
  readonly phase: "upload" | "convert" | "download";
  /** From 0 to 100. */
  readonly percent: number;
  readonly bytes?: number;
  readonly total?: number;
  /** ID of an upload that can be resumed with `resume`. */
  readonly uploadId?: string;
}

export type OnProgress = (progress: Progress) => void;

/** @returns progress of a phase that moves bytes */
export const bytesProgress = (phase: "upload" | "download", bytes: number, total: number): Progress => ({
  phase,
  percent: total === 0 ? 100 : Math.min(100, Math.floor((bytes / total) * 100)),
  bytes,
  total,
});

/**
 * @returns the same bytes. `onBytes` is called as they are sent, if the platform reads a Blob through `stream` (Node
 * does; browsers do not report the progress of `fetch`).
 */
export const watched = (blob: Blob, onBytes: (bytes: number) => void): Blob => {
  const copy = blob.slice(0, blob.size, blob.type);
  const count = () =>
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        onBytes(chunk.length);
        controller.enqueue(chunk);
      },
    });
  return Object.defineProperty(copy, "stream", { value: () => blob.stream().pipeThrough(count()) });
};
