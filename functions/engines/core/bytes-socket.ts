import { readSync, writeSync } from "node:fs";
import type { Socket } from "node:net";

/** The bytes of inputs and results of small files, between the service and a converter. Messages say how many follow. */

/** The converter's end of the socket pair, after that of Node's messages. */
const BYTES_DESCRIPTOR = 4;

/** Each input starts with its number, so that a converter can tell it from the input of another task. */
const NUMBER_BYTES = 4;

/** The input that follows on the socket. */
export interface AnnouncedInput {
  readonly inputBytes: number;
  /** The number that the input starts with. */
  readonly inputNumber: number;
}

/** The service's end. */
export interface BytesSocket {
  /**
   * @param chunks the bytes of an input, in pieces that are not copied
   * @returns what the task says about them, and what sends them: at once before the task, or never
   */
  input(chunks: readonly Uint8Array[]): { readonly announced: AnnouncedInput; readonly send: () => void };
  /** Resolves when so many bytes have arrived, which never happens if the converter exits. */
  receive(count: number): Promise<Buffer>;
  /** Whether the system has all bytes that were sent, so that their memory is no longer read. */
  isSent(): boolean;
  /** Whether no bytes are left that belong to no message. */
  isEmpty(): boolean;
}

/** @param socket the service's end of a converter's socket pair */
export const bytesSocket = (socket: Socket): BytesSocket => {
  // A closed socket means that the converter has exited, which is noticed elsewhere.
  socket.on("error", () => {});
  let inputs = 0;
  return {
    input: (chunks) => {
      const inputNumber = ++inputs;
      const send = (): void => {
        const start = Buffer.alloc(NUMBER_BYTES);
        start.writeUInt32LE(inputNumber);
        socket.cork();
        for (const chunk of [start, ...chunks]) {
          socket.write(chunk);
        }
        socket.uncork();
      };
      return { announced: { inputBytes: chunks.reduce((sum, { length }) => sum + length, 0), inputNumber }, send };
    },
    receive: (count) =>
      new Promise((resolve) => {
        const take = (): void => {
          const bytes: Buffer | null = socket.read(count);
          // At the end of the stream, fewer are returned.
          if (bytes?.length === count) {
            socket.off("readable", take);
            resolve(bytes);
          }
        };
        socket.on("readable", take);
        take();
      }),
    isSent: () => socket.writableLength === 0,
    isEmpty: () => socket.readableLength === 0,
  };
};

/** Memory for one input after another, so that V8 need not collect each. */
let memory = Buffer.alloc(0);

/**
 * Reads an input in the converter. Blocks: a converter does nothing else, and the service sends the bytes at once.
 *
 * @returns the bytes, which the next call overwrites
 * @throws Error when the service has closed the socket, and for the input of another task. The converter is then to end
 */
export const receiveBytes = ({ inputBytes, inputNumber }: AnnouncedInput): Buffer => {
  const all = NUMBER_BYTES + inputBytes;
  if (memory.length < all) {
    memory = Buffer.allocUnsafeSlow(all);
  }
  for (let at = 0; at < all; ) {
    const read = readSync(BYTES_DESCRIPTOR, memory, at, all - at, null);
    if (read === 0) {
      throw new Error("The service closed the socket.");
    }
    at += read;
  }
  const number = memory.readUInt32LE();
  if (number !== inputNumber) {
    throw new Error(`Input ${number} arrived in place of ${inputNumber}.`);
  }
  return memory.subarray(NUMBER_BYTES, all);
};

/** Sends a result from the converter. The service reads it as soon as its message has arrived. */
export const sendBytes = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(BYTES_DESCRIPTOR, bytes, at, bytes.length - at);
  }
};
