import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Attempts, Reached } from "./reach.ts";
import { startedAt } from "./tree.ts";

/** The program that runs in a sandbox at startup: it tries to leave the sandbox, and prints what it reached. */

const opens = (path: string): boolean => {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch {
    return false;
  }
};

const CONNECT_MS_MAX = 1_000;

const connects = async (port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  try {
    return await Promise.race([promise, pause(CONNECT_MS_MAX, false, { ref: false })]);
  } finally {
    socket.destroy();
  }
};

/** Where util-linux is not installed, this is not tried. */
const createsNamespaces = (): boolean => spawnSync("unshare", ["--user", "true"], { stdio: "ignore" }).status === 0;

const [, , text = "{}"] = process.argv;
const { paths, port, service }: Attempts = JSON.parse(text);
const reached: Reached = {
  files: paths.filter(opens),
  network: await connects(port),
  processes: startedAt(service.pid) === service.startedAt,
  kernel: createsNamespaces(),
};
process.stdout.write(JSON.stringify(reached));
