import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const pending = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function once, when the client has received the response or has disconnected. The event `close` of a response
 * is not enough: Node does not emit it if the connection closes before the turn of a pipelined request.
 */
export const onResponseEnd = ({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void => {
  if (socket.destroyed) {
    done();
    return;
  }
  const ends = pending.get(socket) ?? pendingOn(socket);
  const end = (): void => {
    if (ends.delete(end)) {
      done();
    }
  };
  ends.add(end);
  response.once("close", end);
};

const pendingOn = (socket: Socket): Set<() => void> => {
  const ends = new Set<() => void>();
  pending.set(socket, ends);
  socket.once("close", () => {
    for (const end of ends) {
      end();
    }
  });
  return ends;
};
