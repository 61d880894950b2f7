import { once } from "node:events";
import { createServer, type Server } from "node:http";

/** Starts the server on a free port of this machine. @returns its URL without a trailing slash */
export const addressOf = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The server has no port.");
  }
  return `http://127.0.0.1:${address.port}`;
};

/** @returns a port of this machine that was free a moment ago */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  const { port } = new URL(await addressOf(server));
  server.close();
  await once(server, "close");
  return Number(port);
};
