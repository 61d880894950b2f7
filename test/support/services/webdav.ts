import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { addressOf } from "../address.ts";

/** A WebDAV server in memory: as RFC 4918 requires, a file needs its folder, and a folder its parent. */
export interface Webdav {
  /** The URL of its root, without a trailing slash. */
  readonly url: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
  /** The methods and paths of the requests so far. */
  readonly came: string[];
  close(): void;
}

const AUTHORIZATION = `Basic ${Buffer.from("ada:pässword").toString("base64")}`;

/** The credentials that it accepts. */
export const WEBDAV_USER = { username: "ada", password: "pässword" };

export const startWebdav = async (): Promise<Webdav> => {
  const files = new Map<string, Buffer>();
  const folders = new Set([""]);
  const came: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "/").replace(/\/$/, "");
    const parent = path.slice(0, path.lastIndexOf("/"));
    came.push(`${request.method} ${path}`);
    const content = await buffer(request);
    const end = (status: number, body?: Buffer) => response.writeHead(status).end(body);
    if (request.headers.authorization !== AUTHORIZATION) {
      return end(401);
    }
    switch (request.method) {
      case "PUT":
        if (!folders.has(parent)) {
          return end(409);
        }
        files.set(path, content);
        return end(201);
      case "MKCOL":
        if (folders.has(path) || !folders.has(parent)) {
          return end(folders.has(path) ? 405 : 409);
        }
        folders.add(path);
        return end(201);
      case "DELETE":
        return end(files.delete(path) ? 204 : 404);
      default:
        return end(files.has(path) ? 200 : 404, files.get(path));
    }
  });
  return { url: await addressOf(server), files, folders, came, close: () => server.close() };
};
