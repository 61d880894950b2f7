import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it, vi } from "vitest";
import { type BodySpeed, limitSlowBody } from "../../../local/http/limits/slow-bodies.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) {
    close();
  }
});

/** A server that responds with the size of the body, and notes truncated bodies. */
const serverWith = async (speed: BodySpeed) => {
  const [received, truncated] = [[] as string[], [] as string[]];
  const server = createServer(async (request: IncomingMessage, response) => {
    limitSlowBody(request, response, speed);
    received.push(request.url ?? "");
    try {
      response.end(`${(await text(request)).length} bytes`);
    } catch {
      truncated.push(request.url ?? "");
    }
  });
  const { port } = new URL(await addressOf(server));
  closing.push(() => server.close());
  const send = async (path: string, head: string, body: string): Promise<Socket> => {
    const socket = connect(Number(port), "127.0.0.1");
    closing.push(() => socket.destroy());
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n${body}`);
    return socket;
  };
  return { send, received, truncated };
};

it("a body that does not arrive ends with 408, whether its size is declared or not", async () => {
  const { send, truncated } = await serverWith({ graceMs: 50, bytesPerSecond: 1_000_000 });
  const declared = await send("/declared", "content-length: 60000", "{");
  const chunked = await send("/chunked", "transfer-encoding: chunked", "1\r\n{\r\n");
  expect(await text(declared)).toMatch(/^HTTP\/1\.1 408 /);
  expect(await text(chunked)).toMatch(/^HTTP\/1\.1 408 /);
  expect(truncated.toSorted()).toEqual(["/chunked", "/declared"]);
});

it("a body that arrives byte by byte ends, although it is never silent", async () => {
  const { send, truncated } = await serverWith({ graceMs: 100, bytesPerSecond: 1_000_000 });
  const socket = await send("/", "content-length: 60000", "{");
  const drip = setInterval(() => socket.write(" "), 5);
  closing.push(() => clearInterval(drip));
  const answer: Buffer[] = [];
  socket.on("data", (chunk) => answer.push(chunk));
  // A byte that arrives after the end resets the connection, and with it an answer that was not read yet.
  socket.on("error", () => clearInterval(drip));
  await new Promise((resolve) => socket.once("close", resolve));
  expect(String(Buffer.concat(answer))).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  expect(truncated).toEqual(["/"]);
});

it("a body has the time that its bytes take at the minimum speed", async () => {
  const { send, received } = await serverWith({ graceMs: 1_000, bytesPerSecond: 100 });
  // 5,000 bytes have 50 s.
  const good = await send("/good", "content-length: 5001\r\nconnection: close", "");
  await vi.waitUntil(() => received.includes("/good"), PATIENCE);
  good.write("x".repeat(5_000));
  const later = await send("/slow", "content-length: 5001", "");
  expect(await text(later)).toMatch(/^HTTP\/1\.1 408 /);
  good.write("x");
  expect(await text(good)).toMatch(/^HTTP\/1\.1 200 .*5001 bytes/s);
});
