import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writevSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The bytes of small inputs, from the service to a converter: in a file without a name that only these two have open, in
 * memory where the system has such files. A socket holds 146 kB at most, and the converter would wait for the rest.
 */

/** Linux's file system in memory. */
export const MEMORY_FOLDER = "/dev/shm";

/** The converter's descriptor, after that of results. */
export const INPUT_DESCRIPTOR = 5;

/** The service's end. */
export interface InputFile {
  /** For the converter, which can only read. To be closed once the converter has started. */
  readonly readOnly: number;
  /**
   * Replaces the content, before the task is sent. Without effect once closed.
   * @returns the number of bytes; undefined if the file system is too full for them
   */
  write(chunks: readonly Uint8Array[]): number | undefined;
  close(): void;
}

/** @throws Error if no file can be created, neither in memory nor in the system's folder for temporary files */
export const openInputFile = (): InputFile => {
  const { descriptor, readOnly } = inMemory() ?? unnamedFile(tmpdir());
  let isOpen = true;
  return {
    readOnly,
    write: (chunks) => {
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
      return !isOpen || writtenBytes(descriptor, chunks) === bytes ? bytes : undefined;
    },
    close: () => {
      isOpen = false;
      closeSync(descriptor);
    },
  };
};

interface UnnamedFile {
  readonly descriptor: number;
  readonly readOnly: number;
}

const inMemory = (): UnnamedFile | undefined => {
  try {
    return unnamedFile(MEMORY_FOLDER);
  } catch {
    // Not on this system, or not for this user.
    return undefined;
  }
};

const unnamedFile = (folder: string): UnnamedFile => {
  const path = join(folder, `anyform-input-${randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  try {
    return { descriptor, readOnly: openSync(path, "r") };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  } finally {
    unlinkSync(path);
  }
};

/** Writes the chunks at the start of a file. @returns the bytes that were written: fewer if the file system is full */
export const writtenBytes = (descriptor: number, chunks: readonly Uint8Array[]): number => {
  try {
    return writevSync(descriptor, chunks, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") {
      return 0;
    }
    throw error;
  }
};

/** Memory for one input after another, so that V8 need not collect each. */
let memory = Buffer.alloc(0);

/**
 * Reads an input of so many bytes in the converter.
 *
 * @returns the bytes, which the next call overwrites
 * @throws Error if the file has fewer. The converter is then to end
 */
export const readInput = (bytes: number): Buffer => {
  if (memory.length < bytes) {
    memory = Buffer.allocUnsafeSlow(bytes);
  }
  for (let at = 0; at < bytes; ) {
    const read = readSync(INPUT_DESCRIPTOR, memory, at, bytes - at, at);
    if (read === 0) {
      throw new Error(`The input has ${at} bytes in place of ${bytes}.`);
    }
    at += read;
  }
  return memory.subarray(0, bytes);
};
