import { Worker } from "node:worker_threads";
import type { StoredFile } from "../../functions/domain/file-ports.ts";
import { sha256Hex } from "../../functions/domain/ids.ts";

/** Small files that are written after the response that contains them. */
export interface LateWrites {
  /**
   * Adds a new file to the next batch, without waiting for the disk. Waits only if too many bytes have not been written
   * yet. A file that cannot be written is reported, and missing.
   */
  write(path: string, bytes: Uint8Array): Promise<StoredFile>;
  /** @returns a promise that resolves when the file has been written, now; undefined if it is not being written */
  ended(path: string): Promise<void> | undefined;
  /** Resolves when all files have been written, and the thread that wrote them has ended. */
  allEnded(): Promise<void>;
}

/** Bytes that may wait in memory. */
const WAITING_BYTES_MAX = 16_000_000;

/** Milliseconds between the first file of a batch and its write: long enough for those of 16 clients to share it. */
const WRITE_MS = 50;

interface LateFile {
  readonly path: string;
  /** The path that it is written to before it is moved to its own. */
  readonly via: string;
  readonly bytes: Uint8Array;
}

interface Batch {
  readonly files: LateFile[];
  readonly written: PromiseWithResolvers<void>;
  readonly timer: NodeJS.Timeout;
}

/**
 * @param onError called when a file cannot be written; nothing remains of it
 * @param viaOf returns the path that a file is written to first. For readers that do not wait for it. @default its own
 */
export const lateWrites = (
  onError: (error: unknown) => void,
  viaOf: (path: string) => string = (path) => path,
): LateWrites => {
  const running = new Map<string, Batch>();
  const writer = fileWriter();
  let waitingBytes = 0;
  let next: Batch | undefined;
  const flush = async (): Promise<void> => {
    const batch = next;
    next = undefined;
    if (batch === undefined) {
      return;
    }
    clearTimeout(batch.timer);
    for (const error of await writer.write(batch.files)) {
      onError(error);
    }
    for (const { path, bytes } of batch.files) {
      running.delete(path);
      waitingBytes -= bytes.length;
    }
    batch.written.resolve();
  };
  const ended = async (batch: Batch): Promise<void> => {
    if (batch === next) {
      void flush();
    }
    await batch.written.promise;
  };
  return {
    write: async (path, bytes) => {
      next ??= { files: [], written: Promise.withResolvers(), timer: setTimeout(flush, WRITE_MS) };
      const batch = next;
      batch.files.push({ path, via: viaOf(path), bytes });
      running.set(path, batch);
      waitingBytes += bytes.length;
      if (waitingBytes > WAITING_BYTES_MAX) {
        await ended(batch);
      }
      return { bytes: bytes.length, sha256: sha256Hex(bytes) };
    },
    ended: (path) => {
      const batch = running.get(path);
      return batch && ended(batch);
    },
    allEnded: async () => {
      await Promise.all([...new Set(running.values())].map(ended));
      await writer.end();
    },
  };
};

/**
 * Runs in a separate thread. In the thread pool, each system call would wake a thread, which takes the main thread as
 * long as the call, and the file system can let a call wait for its journal.
 */
const WRITER = `
  const { parentPort } = require("node:worker_threads");
  const { closeSync, openSync, renameSync, unlinkSync, writeSync } = require("node:fs");
  const write = (path, via, bytes) => {
    const file = openSync(via, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at);
      }
      if (via !== path) {
        renameSync(via, path);
      }
    } catch (error) {
      unlinkSync(via);
      throw error;
    } finally {
      closeSync(file);
    }
  };
  parentPort.on("message", ({ files, content }) => {
    const errors = [];
    let at = 0;
    for (const { path, via, length } of files) {
      try {
        write(path, via, new Uint8Array(content, at, length));
      } catch (error) {
        errors.push({ message: error.message, code: error.code });
      }
      at += length;
    }
    parentPort.postMessage(errors);
  });
`;

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 4, stackSizeMb: 1 };

/** Codes of errors are lost between threads. */
interface SystemError {
  readonly message: string;
  readonly code: string;
}

/** Writes batches one after another, in a thread that starts with the first. */
const fileWriter = () => {
  const batches: { readonly files: Batch["files"]; readonly done: (errors: readonly unknown[]) => void }[] = [];
  let thread: Worker | undefined;
  const end = (errors: readonly unknown[]): void => {
    batches.shift()?.done(errors);
    if (batches.length === 0) {
      thread?.unref();
    }
  };
  const start = (): Worker => {
    const worker = new Worker(WRITER, { eval: true, resourceLimits: LIMITS });
    worker.on("message", (errors: readonly SystemError[]) =>
      end(errors.map(({ message, code }) => Object.assign(new Error(message), { code }))),
    );
    // The next batch starts another thread. It is not known which files were written.
    worker.on("error", (error) => {
      thread = undefined;
      while (batches.length > 0) {
        end([error]);
      }
    });
    return worker;
  };
  return {
    /** @returns the errors of files that were not written */
    write: (files: Batch["files"]): Promise<readonly unknown[]> =>
      new Promise((done) => {
        batches.push({ files, done });
        thread ??= start();
        thread.ref();
        const content = packed(files);
        thread.postMessage(
          { files: files.map(({ path, via, bytes: { length } }) => ({ path, via, length })), content },
          [content],
        );
      }),
    /** Ends the thread, unless it is writing. The next batch starts another. */
    end: async (): Promise<void> => {
      const idle = batches.length === 0 ? thread : undefined;
      if (idle !== undefined) {
        thread = undefined;
        await idle.terminate();
      }
    },
  };
};

/** @returns the contents of the files, one after another, in memory that can be moved to the thread */
const packed = (files: Batch["files"]): ArrayBuffer => {
  const content = new Uint8Array(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of files) {
    content.set(bytes, at);
    at += bytes.length;
  }
  return content.buffer;
};
