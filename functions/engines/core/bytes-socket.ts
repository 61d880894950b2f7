import { readSync, writeSync } from "node:fs";
import type { Socket } from "node:net";

/** The bytes of inputs and results of small files, between the service and a converter. Messages say how many follow. */

/** The converter's end of the socket pair, after that of Node's messages. */
const BYTES_DESCRIPTOR = 4;

/** The service's end. */
export interface BytesSocket {
  /** @param chunks the bytes, in pieces that are not copied */
  send(chunks: readonly Uint8Array[]): void;
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
  return {
    send: (chunks) => {
      socket.cork();
      for (const chunk of chunks) {
        socket.write(chunk);
      }
      socket.uncork();
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
 * @throws Error when the service has closed the socket
 */
export const receiveBytes = (count: number): Buffer => {
  if (memory.length < count) {
    memory = Buffer.allocUnsafeSlow(count);
  }
  for (let at = 0; at < count; ) {
    const read = readSync(BYTES_DESCRIPTOR, memory, at, count - at, null);
    if (read === 0) {
      throw new Error("The service closed the socket.");
    }
    at += read;
  }
  return memory.subarray(0, count);
};

/** Sends a result from the converter. The service reads it as soon as its message has arrived. */
export const sendBytes = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(BYTES_DESCRIPTOR, bytes, at, bytes.length - at);
  }
};
