import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { freePort, listening, PEERS_FOLDER, type Started } from "./peer.ts";

/** unoserver (PyPI): one LibreOffice that stays open, called by XML-RPC with paths, without Python's start per file. */

const run = promisify(execFile);

/** The Python of Debian is the one that has LibreOffice's module `uno`. */
const PYTHONS = ["python3", "/usr/bin/python3"];
const env = {
  ...process.env,
  PYTHONPATH: [join(PEERS_FOLDER, "python"), process.env.PYTHONPATH ?? ""].filter(Boolean).join(delimiter),
};

const pythonOf = async (): Promise<string | undefined> => {
  for (const python of PYTHONS) {
    const isComplete = await run(python, ["-c", "import uno, unoserver.server"], { env }).then(
      () => true,
      () => false,
    );
    if (isComplete) {
      return python;
    }
  }
  return undefined;
};

/** @returns unoserver, or undefined if no Python has it and LibreOffice's module `uno` */
export const startUnoserver = async (): Promise<Started | undefined> => {
  const python = await pythonOf();
  if (python === undefined) {
    return undefined;
  }
  const [port, unoPort] = [await freePort(), await freePort()];
  const profile = await mkdtemp(join(tmpdir(), "anyform-unoserver-"));
  const ports = ["--port", String(port), "--uno-port", String(unoPort)];
  const args = ["-m", "unoserver.server", "--interface", "127.0.0.1", ...ports, "--user-installation", profile];
  const child = spawn(python, args, { env, stdio: "ignore" });
  const exited = once(child, "exit");
  await listening(child, port);
  return {
    root: child.pid ?? 0,
    convert: (input, target) => convertAt(`http://127.0.0.1:${port}/`, [input, `${input}.unoserver.${target}`]),
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(profile, { recursive: true, force: true });
    },
  };
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const convertAt = async (url: string, [input, output]: readonly [string, string]): Promise<void> => {
  const params = [`<string>${escaped(input)}</string>`, "<nil/>", `<string>${escaped(output)}</string>`];
  const values = params.map((value) => `<param><value>${value}</value></param>`).join("");
  const body = `<?xml version="1.0"?><methodCall><methodName>convert</methodName><params>${values}</params></methodCall>`;
  const reply = await request(url, { method: "POST", headers: { "content-type": "text/xml" }, body });
  const text = await reply.body.text();
  if (reply.statusCode !== 200 || text.includes("<fault>")) {
    throw new Error(`unoserver answered ${reply.statusCode}: ${text.slice(0, 300)}`);
  }
};
