import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Checks the README's first promise: `npm start`, then converting an image through the API. */

const START_MS_MAX = 60_000;

const folder = mkdtempSync(join(tmpdir(), "anyform-first-"));
const service = spawn("npm", ["start"], {
  detached: true,
  env: { ...process.env, DATA_DIR: folder, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});

/** @returns the address that the service prints */
const address = () =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("npm start did not print a URL.")), START_MS_MAX);
    service.once("exit", (code) => reject(new Error(`npm start exited with code ${code}.`)));
    createInterface({ input: service.stdout }).on("line", (line) => {
      const url = /listens on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) {
        clearTimeout(timer);
        resolve(url);
      }
    });
  });

const convert = async (url) => {
  const authorization = `Bearer ${readFileSync(join(folder, "api-key"), "utf8").trim()}`;
  const call = async (path, init) => {
    const reply = await fetch(new URL(`/api/v1/${path}`, url), {
      ...init,
      headers: { authorization, ...init.headers },
    });
    if (!reply.ok) {
      throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    }
    return reply;
  };
  const form = new FormData();
  form.set("file", new File([readFileSync("test/fixtures/sample.png")], "sample.png"));
  const { upload_id } = await (await call("upload", { method: "POST", body: form })).json();
  const job = await (
    await call("convert", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=25" },
      body: JSON.stringify({ upload_id, target_format: "jpg" }),
    })
  ).json();
  const bytes = Buffer.from(await (await call(`download/${job.result.download_token}`, {})).arrayBuffer());
  if (bytes.readUInt16BE(0) !== 0xffd8) {
    throw new Error("The result is not a JPEG file.");
  }
  console.log(`npm start: converted sample.png to a JPEG of ${bytes.length} bytes through the API.`);
};

try {
  await convert(await address());
} finally {
  service.removeAllListeners("exit");
  const ended = new Promise((resolve) => service.once("exit", resolve));
  process.kill(-service.pid, "SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
