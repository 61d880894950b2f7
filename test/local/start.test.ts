import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordedModules } from "../support/recorded-modules.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

/** What a start loads: each module takes time and memory. */

const root = join(import.meta.dirname, "../..");

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe("a start", () => {
  it("of the service does not compile the clients of Node that it does not use", async () => {
    const { recorder, names } = recordedModules(folder.path);
    const child = spawn(process.execPath, ["--import", recorder, "--conditions=anyform-local", "local/start.mjs"], {
      cwd: root,
      env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", DATA_DIR: join(folder.path, "data") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.includes("Anyform listens on")) {
        break;
      }
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    const loaded = names().join("\n");
    expect(loaded).toMatch(/^NativeModule http$/m);
    // A start before this one may have written the bundle.
    expect(loaded).toMatch(/local\/service\.ts$|dist\/service\/service\.mjs$/m);
    expect(loaded).not.toMatch(/undici|http2/);
  });

  it("of a converter does not load the library that checks requests", () => {
    const { recorder, names } = recordedModules(folder.path);
    const load = 'await import("./functions/engines/core/converter.ts"); process.exit();';
    spawnSync(process.execPath, ["--import", recorder, "--input-type=module", "-e", load], { cwd: root });
    const loaded = names().join("\n");
    expect(loaded).toMatch(/engines\/core\/convert\.ts$/m);
    expect(loaded).not.toContain("zod");
  });
});
