import { writeSync } from "node:fs";
import type { Socket } from "node:net";

/** The bytes of results of small files, from a converter to the service. Its messages say how many follow. */

/** The converter's end of the socket pair, after that of Node's messages. */
const RESULT_DESCRIPTOR = 4;

/** The service's end. */
export interface ResultSocket {
  /** Resolves when so many bytes have arrived, which never happens if the converter exits. */
  receive(count: number): Promise<Buffer>;
  /** Whether no bytes are left that belong to no message. */
  isEmpty(): boolean;
}

/** @param socket the service's end of a converter's socket pair */
export const resultSocket = (socket: Socket): ResultSocket => {
  // A closed socket means that the converter has exited, which is noticed elsewhere.
  socket.on("error", () => {});
  return {
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
    isEmpty: () => socket.readableLength === 0,
  };
};

/** Sends a result from the converter. The service reads it as soon as its message has arrived. */
export const sendResult = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(RESULT_DESCRIPTOR, bytes, at, bytes.length - at);
  }
};
