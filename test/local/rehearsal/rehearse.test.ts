import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MEMORY_FOLDER } from "../../../functions/engines/core/input-file.ts";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { installedRoutes } from "../../../local/context.ts";
import { idleServer } from "../../../local/rehearsal/idle.ts";
import { type RehearsalSettings, rehearse } from "../../../local/rehearsal/rehearse.ts";
import { makeStageFolder } from "../../../local/rehearsal/stage-folder.ts";
import { readSettings } from "../../../local/settings.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** Conversions after the start, in a second service without clients, with a real converter. */

const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");

let folder: TemporaryFolder;
let pool: ConverterPool;
let errors: unknown[];
beforeEach(() => {
  folder = temporaryFolder();
  pool = converterPool({ size: 1, entry, scratchFolder: folder.path });
  errors = [];
});
afterEach(async () => {
  await pool.stop();
  await folder.remove();
});

const settings = (overrides: Partial<RehearsalSettings> = {}): RehearsalSettings => ({
  settings: readSettings({ DATA_DIR: join(folder.path, "data") }),
  installed: installedRoutes([]),
  scratchFolder: folder.path,
  conversions: pool.briefly,
  onError: (error) => errors.push(error),
  whenIdle: async () => {},
  signal: new AbortController().signal,
  rounds: 2,
  ...overrides,
});
const GOES_ON = new AbortController().signal;
const left = () =>
  [tmpdir(), MEMORY_FOLDER].flatMap((path) =>
    readdirSync(path).filter((name) => name.startsWith("anyform-rehearsal-")),
  );

describe("a rehearsal", () => {
  it("converts by one call and by separate calls, and leaves no file, folder or error", async () => {
    const before = left();
    expect(await rehearse(settings())).toBe(20);
    expect([readdirSync(folder.path), left(), errors]).toEqual([[], before, []]);
  });

  it("ends when the service is stopped", async () => {
    const stopping = new AbortController();
    let asked = 0;
    const whenIdle = async (): Promise<void> => {
      asked += 1;
      if (asked === 3) {
        stopping.abort();
      }
    };
    expect(await rehearse(settings({ whenIdle, signal: stopping.signal }))).toBe(2);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("reports a conversion that fails, and leaves nothing either", async () => {
    const conversions: RehearsalSettings["conversions"] = {
      run: () => Promise.reject(new Error("no converter")),
      runBytes: () => Promise.reject(new Error("no converter")),
    };
    await expect(rehearse(settings({ conversions }))).rejects.toThrow("POST /api/v1/convert");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("the folder of a rehearsal", () => {
  it("is in memory, the same for each start of a service, and empty", async () => {
    const memory = join(folder.path, "memory");
    mkdirSync(memory);
    const first = await makeStageFolder("data", folder.path, memory);
    writeFileSync(join(first, "left"), "");
    expect(await makeStageFolder("data", folder.path, memory)).toBe(first);
    expect([readdirSync(first), readdirSync(memory).length]).toEqual([[], 1]);
    expect(await makeStageFolder("other", folder.path, memory)).not.toBe(first);
  });

  it("is in the other folder if the system has none in memory", async () => {
    const made = await makeStageFolder("data", folder.path, join(folder.path, "none"));
    expect(dirname(made)).toBe(folder.path);
  });
});

describe("an idle server", () => {
  it("is one that converts nothing", async () => {
    let busy = 3;
    const whenIdle = idleServer(createServer(), () => {
      busy -= 1;
      return busy >= 0;
    });
    await whenIdle(GOES_ON);
    expect(busy).toBe(-1);
  });

  it("is not waited for once the signal is aborted", async () => {
    const stopping = new AbortController();
    const idle = idleServer(createServer(), () => true)(stopping.signal);
    stopping.abort();
    await idle;
  });

  it("is one that has had no request for a moment", async () => {
    const server = createServer((_, response) => response.end());
    const whenIdle = idleServer(server, () => false);
    await whenIdle(GOES_ON);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    let isIdle = false;
    const idle = whenIdle(GOES_ON).then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    await idle;
    server.closeAllConnections();
    server.close();
  });
});
