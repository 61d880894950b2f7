import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { busyRequests } from "../../../local/http/limits/busy-requests.ts";
import { turns } from "../../../local/http/limits/turns.ts";
import { waitingBytes } from "../../../local/http/limits/waiting-bytes.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) {
    close();
  }
});

const CONTENT = Buffer.alloc(5_000_000);
const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** A server with the limits of the gateway, which responds with 5 MB: shared by all responses, or separate. */
const serverWith = async ({ isShared = false, requestsMax = 1_000 } = {}) => {
  const turn = turns();
  const busy = busyRequests({ requestsMax, pressure: { isHigh: () => false, stop: () => {} } });
  const waiting = waitingBytes({ max: 1_000_000_000, clientMax: 20_000_000 });
  const made: ServerResponse[] = [];
  const refused: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const client = request.socket.remoteAddress ?? "";
    if (!(await turn(request, response))) {
      return;
    }
    if (busy.enter(request, response, client) !== undefined) {
      refused.push(response);
      response.writeHead(503).end();
    } else {
      made.push(response);
      const isHeld = waiting.hold({ request, response, client }, CONTENT.length, isShared ? CONTENT : undefined);
      response.writeHead(isHeld ? 200 : 503).end(isHeld ? CONTENT : undefined);
    }
  });
  const { port } = new URL(await addressOf(server));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  /** A connection that does not read. */
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), "127.0.0.1").pause();
    socket.on("error", () => socket.destroy());
    closing.push(() => socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  const statuses = (): (number | undefined)[] => made.map(({ statusCode }) => statusCode);
  return { open, made, refused, statuses, waiting };
};

it("pipelined requests are served one after the other, as the client reads", async () => {
  const { open, made } = await serverWith();
  const socket = await open();
  socket.write(GET.repeat(8));
  await vi.waitUntil(() => made.length > 0, PATIENCE);
  const other = await open();
  other.write(GET);
  await vi.waitUntil(() => made.length > 1, PATIENCE);
  expect(made).toHaveLength(2);
  socket.resume();
  await vi.waitUntil(() => made.length === 9, PATIENCE);
});

it("responses that a client does not read are limited in bytes, and free them when it disconnects", async () => {
  const { open, statuses, waiting } = await serverWith();
  const sockets = await Promise.all(Array.from({ length: 10 }, open));
  for (const socket of sockets) {
    socket.write(GET);
  }
  await vi.waitUntil(() => statuses().length === 10, PATIENCE);
  expect(statuses().filter((status) => status === 200)).toHaveLength(4);
  expect(waiting.held()).toBe(20_000_000);
  for (const socket of sockets) {
    socket.destroy();
  }
  await vi.waitUntil(() => waiting.held() === 0, PATIENCE);
});

it("content that responses share takes less", async () => {
  const { open, statuses, waiting } = await serverWith({ isShared: true });
  const sockets = await Promise.all(Array.from({ length: 10 }, open));
  for (const socket of sockets) {
    socket.write(GET);
  }
  await vi.waitUntil(() => statuses().length === 10, PATIENCE);
  expect(new Set(statuses())).toEqual(new Set([200]));
  expect(waiting.held()).toBe(10_000_000);
});

it("a client that disconnects returns the slots of its requests", async () => {
  const { open, made, refused } = await serverWith({ requestsMax: 4 });
  const sockets = await Promise.all([open(), open()]);
  for (const socket of sockets) {
    socket.write(GET.repeat(8));
  }
  await vi.waitUntil(() => made.length === 2, PATIENCE);
  const third = await open();
  third.write(GET);
  await vi.waitUntil(() => refused.length === 1, PATIENCE);
  for (const socket of sockets) {
    socket.destroy();
  }
  await vi.waitUntil(async () => {
    const before = refused.length;
    const again = await open();
    again.write(GET);
    await once(again.resume(), "data");
    again.destroy();
    return refused.length === before;
  }, PATIENCE);
});

it("a connection with more waiting requests than any client sends is closed", async () => {
  const { open, made } = await serverWith();
  const socket = await open();
  socket.write(GET.repeat(30));
  await once(socket.resume(), "close");
  expect(made.length).toBeLessThanOrEqual(20);
});
