import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Agent, request } from "undici";
import { freePort, listening, PEERS_FOLDER, type Started } from "./peer.ts";

/** ipx (npm), an image server that converts on `GET /f_webp,q_80/NAME`. It has no upload: it reads a folder. */

const SCRIPT = join(PEERS_FOLDER, "node_modules/ipx/bin/ipx.mjs");
const CONNECTIONS = 32;

/** @returns ipx serving the folder, or undefined if it is not installed */
export const startIpx = async (folder: string): Promise<Started | undefined> => {
  if (!existsSync(SCRIPT)) {
    return undefined;
  }
  const port = await freePort();
  const child = spawn(process.execPath, [SCRIPT, "serve", "--dir", folder, "--port", String(port)], {
    cwd: dirname(SCRIPT),
    env: { ...process.env, HOST: "127.0.0.1", NODE_ENV: "production" },
    stdio: "ignore",
  });
  await listening(child, port);
  const dispatcher = new Agent({ connections: CONNECTIONS });
  return {
    root: child.pid ?? 0,
    convert: async (input, target) => {
      const settings = target === "jpg" ? "f_jpeg,q_80,b_ffffff,flatten" : `f_${target},q_80`;
      const url = `http://127.0.0.1:${port}/${settings}/${basename(input)}`;
      const { statusCode, body } = await request(url, { dispatcher });
      const bytes = Buffer.from(await body.arrayBuffer());
      if (statusCode !== 200) {
        throw new Error(`ipx answered ${statusCode}: ${bytes.toString("utf8").slice(0, 300)}`);
      }
    },
    stop: async () => {
      await dispatcher.close();
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};
