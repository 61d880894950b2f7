import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onResponseEnd } from "../response-end.ts";

/**
 * Pipelined requests that may wait on one connection, with headers of up to 16 kB each. Proxies, browsers and HTTP
 * libraries do not pipeline.
 */
const WAITING_MAX = 20;

interface Queue {
  /** Resolves when the latest request has ended. */
  last: Promise<void>;
  /** Requests that have not ended. */
  waiting: number;
}

/**
 * Serves the requests of a connection one after the other: a response is only created when the client has read the
 * previous one. So a client that sends requests and does not read holds one response per connection.
 *
 * @returns a function that waits for the turn of a request. It returns false if the connection is closed
 */
export const turns = (): ((request: IncomingMessage, response: ServerResponse) => Promise<boolean>) => {
  const queues = new WeakMap<Socket, Queue>();
  return async (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
    queues.set(socket, queue);
    if (queue.waiting >= WAITING_MAX) {
      socket.destroy();
      return false;
    }
    const before = queue.waiting === 0 ? undefined : queue.last;
    queue.waiting += 1;
    queue.last = new Promise((resolve) => {
      onResponseEnd(request, response, () => {
        queue.waiting -= 1;
        resolve();
      });
    });
    await before;
    return !socket.destroyed;
  };
};
