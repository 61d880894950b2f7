import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reachable } from "../../functions/outbound/addresses.ts";
import { type DownloadTask, download } from "../../functions/outbound/download.ts";
import { addressOf } from "../support/address.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe("a download", () => {
  let server: Server;
  let origin: string;
  let answer: Answer;
  let asked: IncomingMessage[];
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request);
      answer(request, response);
    });
    origin = await addressOf(server);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetched = async (path: string, over: Partial<DownloadTask> = {}): Promise<Buffer> => {
    const task = {
      url: `${origin}${path}`,
      headers: {},
      bytesMax: 1_000_000,
      reaches: reachable(["127.0.0.1"]),
      ...over,
    };
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await download(task)).content) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  const refused = reachable([]);

  test("returns the complete file, with the client's headers in the request", async () => {
    const content = randomBytes(300_000);
    answer = (_, response) => response.end(content);
    expect(await fetched("/a", { headers: { Authorization: "Bearer x" } })).toEqual(content);
    expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer x", "accept-encoding": "identity" });
  });

  test("follows redirects, and sends no client headers to another host", async () => {
    const other = createServer((request, response) => response.end(String(request.headers.authorization)));
    const elsewhere = await addressOf(other);
    answer = (request, response) => {
      const location = request.url === "/a" ? "/b" : `${elsewhere}/c`;
      response.writeHead(302, { location }).end();
    };
    expect(String(await fetched("/a", { headers: { authorization: "secret" } }))).toBe("undefined");
    expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/a", "secret"],
      ["/b", "secret"],
    ]);
    other.close();
  });

  test("fails after too many redirects", async () => {
    answer = (request, response) => response.writeHead(301, { location: `${request.url}x` }).end();
    await expect(fetched("/")).rejects.toMatchObject({ code: "fetch_failed" });
    expect(asked).toHaveLength(6);
  });

  test.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://127.1:PORT/",
    "http://0.0.0.0:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[fd00:ec2::254]/",
  ])("rejects %s", async (url) => {
    answer = (_, response) => response.end("secret");
    const place = url.replace("PORT", new URL(origin).port);
    await expect(fetched("", { url: place, reaches: refused })).rejects.toMatchObject({ code: "address_refused" });
    expect(asked).toEqual([]);
  });

  test.each(["http://127.0.0.2:PORT/", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://x/"])(
    "never follows a redirect to %s",
    async (location) => {
      answer = (request, response) => {
        if (request.url === "/a") {
          response.writeHead(302, { location: location.replace("PORT", new URL(origin).port) }).end();
        } else {
          response.end("secret");
        }
      };
      // Only the first host is allowed.
      const first = (address: string) => address === "127.0.0.1" && asked.length === 0;
      await expect(fetched("/a", { reaches: first })).rejects.toMatchObject({ code: "address_refused" });
      expect(asked).toHaveLength(1);
    },
  );

  test("is rejected if its declared or actual size is too large", async () => {
    answer = (request, response) => {
      if (request.url === "/said") {
        response.writeHead(200, { "content-length": "2000000" });
      }
      response.end(Buffer.alloc(2_000_000));
    };
    await expect(fetched("/said")).rejects.toMatchObject({ code: "payload_too_large" });
    await expect(fetched("/unsaid")).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("fails with the status of the server", async () => {
    answer = (_, response) => response.writeHead(404).end();
    await expect(fetched("/")).rejects.toThrow("404");
  });

  test("resumes after an interruption if the server can send the rest of the same version", async () => {
    const content = randomBytes(200_000);
    answer = (request, response) => {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      const headers = { "accept-ranges": "bytes", etag: '"v1"' };
      const rest = content.subarray(start);
      response.writeHead(start === 0 ? 200 : 206, { ...headers, "content-length": rest.length });
      response.write(rest.subarray(0, 90_000), () =>
        setTimeout(() => (rest.length > 90_000 ? response.destroy() : response.end()), 50),
      );
    };
    expect(await fetched("/")).toEqual(content);
    expect(asked.map(({ headers }) => headers["if-range"])).toEqual([undefined, '"v1"', '"v1"']);
  });

  test("fails after an interruption that cannot be resumed", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-length": "100000" });
      response.write(Buffer.alloc(10), () => setTimeout(() => response.destroy(), 50));
    };
    await expect(fetched("/")).rejects.toMatchObject({ code: "fetch_failed" });
    expect(asked).toHaveLength(1);
  });

  test("fails if the server is unreachable", async () => {
    await expect(fetched("", { url: "http://127.0.0.1:1/" })).rejects.toMatchObject({ code: "fetch_failed" });
    await expect(fetched("", { url: "http://no-such-host.invalid/" })).rejects.toMatchObject({ code: "fetch_failed" });
  });
});
