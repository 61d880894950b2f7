import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { fairStarts } from "../../../local/http/limits/fair-starts.ts";
import { STREAM_BUFFERS_BYTES, waitingBytes } from "../../../local/http/limits/waiting-bytes.ts";
import { sendStream } from "../../../local/http/send-stream.ts";
import { addressOf } from "../../support/address.ts";
import { PATIENCE } from "../../support/patience.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) {
    close();
  }
});

/** A server that responds with endless streams, and a client may hold so many. */
const serverWith = async (streamsMax: number) => {
  const waiting = waitingBytes({ max: 1_000_000_000, clientMax: streamsMax * STREAM_BUFFERS_BYTES });
  const streams: PassThrough[] = [];
  const server = createServer(async (request, response) => {
    const stream = new PassThrough();
    stream.write("data: 1\n\n");
    streams.push(stream);
    const exchange = { request, response, client: request.socket.remoteAddress ?? "" };
    await sendStream(exchange, { statusCode: 200, headers: {}, stream }, { waiting, starts: fairStarts() });
  });
  const url = await addressOf(server);
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { url, streams, waiting };
};

it("streams count toward the bytes of a client, and are replaced by an error above its limit", async () => {
  const { url, streams, waiting } = await serverWith(2);
  const aborter = new AbortController();
  const replies = [await fetch(url, aborter), await fetch(url, aborter)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(waiting.held()).toBe(2 * STREAM_BUFFERS_BYTES);
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "temporarily_unavailable" }]);
  expect(streams[2]?.destroyed).toBe(true);
  aborter.abort();
  await vi.waitUntil(() => waiting.held() === 0 && streams.every(({ destroyed }) => destroyed), PATIENCE);
  const again = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  expect(again.status).toBe(200);
  await again.body?.cancel();
});
