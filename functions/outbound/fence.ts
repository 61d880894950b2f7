import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { type Access, type AccessRules, access } from "./fence-access.ts";
import { FENCE_LIMITS, type FenceLimits, type Tally } from "./fence-limits.ts";
import { forwardedRequest, type Target, tunnelTarget } from "./fence-targets.ts";

/**
 * An HTTP proxy for one web page: the only way out of its sandbox. It listens on a Unix socket, resolves host names
 * itself, and connects to checked addresses only.
 */

export interface FenceSettings extends Omit<AccessRules, "limits"> {
  /** The folder of the socket. Only the sandbox of the page may have access to it. */
  readonly folder: string;
  /** The file name of the socket. */
  readonly name: string;
  /** @default FENCE_LIMITS */
  readonly limits?: FenceLimits;
}

export interface Fence {
  readonly tally: Tally;
  /** Closes all connections and removes the socket. */
  close(): Promise<void>;
}

/** Headers of a request or a response, in bytes. Browsers send cookies of up to 4 kB each. */
const HEADER_BYTES_MAX = 65_536;

export const openFence = async ({ folder, name, limits = FENCE_LIMITS, ...rules }: FenceSettings): Promise<Fence> => {
  const entry = access({ ...rules, limits });
  const clients = new Set<Socket>();
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
    forward(entry, request, response).catch(() => refuse(response));
  });
  server.maxConnections = 2 * limits.openMax;
  server.on("connection", (client) => {
    clients.add(client.once("close", () => clients.delete(client)));
    client.on("error", () => client.destroy());
  });
  server.on("connect", (request, client, head) => {
    tunnel(entry, request, client, head).catch(() => client.end(REFUSED));
  });
  // WebSockets use CONNECT as well.
  server.on("upgrade", (_, client) => client.destroy());
  await listenIn(server, folder, name);
  return {
    tally: entry.tally,
    close: async () => {
      entry.close();
      for (const client of clients) {
        client.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
};

/**
 * The path of a Unix socket has at most 107 bytes (unix(7)), and that of the folder may be longer, so the folder is
 * named by its descriptor.
 */
const listenIn = async (server: Server, folder: string, name: string): Promise<void> => {
  if (process.platform !== "linux") {
    server.listen(join(folder, name));
    await once(server, "listening");
    return;
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    server.listen(`/proc/self/fd/${descriptor}/${name}`);
    await once(server, "listening");
  } finally {
    closeSync(descriptor);
  }
};

const REFUSED = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

const refuse = (response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(403, { "content-length": "0", connection: "close" }).end();
};

/** @throws Error when the target may not be connected to */
const connected = (entry: Access, target: Target | undefined): Promise<Socket> => {
  if (target === undefined) {
    throw new Error("The target is not valid.");
  }
  return entry.connect(target);
};

const tunnel = async (entry: Access, request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
  client.on("error", () => client.destroy());
  const upstream = await connected(entry, tunnelTarget(request.url ?? ""));
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  upstream.on("error", () => client.destroy());
  upstream.on("data", (chunk: Buffer) => entry.count("bytesIn", chunk.length));
  client.on("data", (chunk: Buffer) => entry.count("bytesOut", chunk.length));
  upstream.once("close", () => client.destroy());
  client.once("close", () => upstream.destroy());
  client.write(ESTABLISHED);
  entry.count("bytesOut", head.length);
  upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
};

/** Headers for one connection only (RFC 9110, 7.6.1); further ones are named in `Connection`. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-authentication-info",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** @returns the headers that are forwarded, as a flat list of names and values */
const endToEnd = ({ rawHeaders, headers }: IncomingMessage): string[] => {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = [rawHeaders[index], rawHeaders[index + 1]];
    if (!HOP_BY_HOP.has(name.toLowerCase()) && !named.includes(name.toLowerCase())) {
      kept.push(name, value);
    }
  }
  return kept;
};

const forward = async (entry: Access, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const forwarded = forwardedRequest(request.method ?? "", request.url ?? "");
  const socket = await connected(entry, forwarded?.target);
  if (forwarded === undefined || response.destroyed) {
    socket.destroy();
    return;
  }
  const sent = requestHttp({
    createConnection: () => socket,
    method: request.method,
    path: forwarded.path,
    headers: [...endToEnd(request), "Host", forwarded.authority, "Connection", "close"],
    setDefaultHeaders: false,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  socket.on("data", (chunk: Buffer) => entry.count("bytesIn", chunk.length));
  response.once("close", () => socket.destroy());
  request.on("data", (chunk: Buffer) => entry.count("bytesOut", chunk.length));
  request.pipe(sent);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  sent.on("error", () => response.destroy());
  answer.on("error", () => response.destroy());
  response.writeHead(answer.statusCode ?? 502, endToEnd(answer));
  answer.pipe(response);
};
