import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { basename, dirname } from "node:path";

/** A port of the sandbox that leads to the proxy outside. */
export interface Forwarder {
  readonly port: number;
  /** Forwards from now on to the Unix socket at this path. Until then, connections are closed. */
  to(path: string): void;
  close(): void;
}

/** Opens a port on the loopback interface of the sandbox, because browsers reach proxies by TCP only. */
export const openForwarder = async (): Promise<Forwarder> => {
  const open = new Set<Socket>();
  let target: { readonly path: string; readonly folder: number } | undefined;
  const server = createServer((inner) => {
    if (target === undefined) {
      inner.destroy();
      return;
    }
    const outer = connect(target.path);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      open.add(one.once("close", () => open.delete(one)));
      one.on("error", () => one.destroy());
      one.once("close", () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new TypeError("The forwarder has no port.");
  }
  return {
    port: address.port,
    to: (path) => {
      // The path of a socket has at most 107 bytes (unix(7)), so its folder is named by a descriptor.
      const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
      target = { folder, path: process.platform === "linux" ? `/proc/self/fd/${folder}/${basename(path)}` : path };
    },
    close: () => {
      server.close();
      for (const socket of open) {
        socket.destroy();
      }
      if (target !== undefined) {
        closeSync(target.folder);
      }
    },
  };
};
