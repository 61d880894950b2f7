/** How far a conversion is. Percent and bytes are of the phase, not of the whole. */
export interface Progress {
  readonly phase: "upload" | "convert" | "download";
  /** From 0 to 100. */
  readonly percent: number;
  readonly bytes?: number;
  readonly total?: number;
  /** Of an upload that can be gone on with: `resume` takes it. */
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
 * @returns the same bytes; `onBytes` hears of them as they leave, where the platform reads a Blob by its `stream` (Node
 * does; a browser tells nothing of what `fetch` has sent)
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
