import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Where `node bench peers --install` installs other services: not in the project, whose dependencies they are not. */
export const PEERS_FOLDER = join(tmpdir(), "anyform-peers");

/** A service that has started. */
export interface Started {
  /** Its process, whose CPU time counts, with its descendants. */
  readonly root: number;
  readonly convert: (input: string, target: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @returns a port of the loopback interface that was free a moment ago */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};

const START_MS_MAX = 90_000;
const POLL_MS = 250;

/** Waits until the process accepts connections. @throws Error if it ends first, or takes longer than 90 seconds */
export const listening = async (child: ChildProcess, port: number): Promise<void> => {
  const end = performance.now() + START_MS_MAX;
  while (performance.now() < end && child.exitCode === null) {
    if (await accepts(port)) {
      return;
    }
    await pause(POLL_MS);
  }
  child.kill("SIGKILL");
  throw new Error(`${child.spawnfile} did not listen on port ${port}.`);
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
