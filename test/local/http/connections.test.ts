import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it, vi } from "vitest";
import { type ConnectionLimits, connectionLimits } from "../../../local/http/limits/connections.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) {
    close();
  }
});

/** A server that serves requests of accepted connections, and 503 to others. */
const serverWith = async (limits: ConnectionLimits) => {
  const connections = connectionLimits(limits);
  const server = createServer((request, response) => {
    const refusal = connections.refusalOf(request.socket);
    response.writeHead(refusal === undefined ? 200 : 503, refusal === undefined ? {} : { connection: "close" });
    response.end(refusal ?? "served");
  });
  server.on("connection", connections.connected);
  const { port } = new URL(await addressOf(server));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const open = async (localAddress = "127.0.0.1"): Promise<Socket> => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
    socket.on("error", () => socket.destroy());
    closing.push(() => socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { open, connections };
};

const ask = (socket: Socket): Promise<string> => {
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  return once(socket, "data").then(([bytes]) => String(bytes));
};

const refused = async (socket: Socket): Promise<string> => {
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  return text(socket);
};

it("connections above the limit of all get an error and are closed, and the others stay open", async () => {
  const { open } = await serverWith({ connectionsMax: 2, areFromProxy: true });
  const [first, second, third] = [await open(), await open(), await open()];
  expect(await refused(third)).toMatch(/^HTTP\/1\.1 503 .*Too many open connections\.\r/s);
  expect(await ask(first)).toMatch(/^HTTP\/1\.1 200 /);
  second.destroy();
  await vi.waitUntil(async () => (await ask(await open())).startsWith("HTTP/1.1 200"), PATIENCE);
});

it("one address has only its share, and another one is served", async () => {
  const { open } = await serverWith({ connectionsMax: 100, addressMax: 3 });
  const flood = [await open(), await open(), await open()];
  expect(await refused(await open())).toMatch(/^HTTP\/1\.1 503 .*from your network\.\r/s);
  expect(await ask(await open("127.0.0.2"))).toMatch(/^HTTP\/1\.1 200 /);
  flood[0]?.destroy();
  await vi.waitUntil(async () => (await ask(await open())).startsWith("HTTP/1.1 200"), PATIENCE);
});

it("several addresses leave room for another one, and cannot use up the error responses", async () => {
  const { open, connections } = await serverWith({ connectionsMax: 40, addressMax: 30 });
  const addresses = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
  for (const address of addresses) {
    await Promise.all(Array.from({ length: 120 }, () => open(address)));
  }
  // Surplus connections beyond those that get an error are closed at once.
  await vi.waitUntil(() => connections.open() <= 40 + 3 * 50, PATIENCE);
  expect(await ask(await open("127.0.0.9"))).toMatch(/^HTTP\/1\.1 200 /);
});

it("a trusted proxy can use all connections: it stands for many clients", async () => {
  const { open } = await serverWith({ connectionsMax: 5, addressMax: 2, areFromProxy: true });
  for (let count = 0; count < 5; count += 1) {
    expect(await ask(await open())).toMatch(/^HTTP\/1\.1 200 /);
  }
});
