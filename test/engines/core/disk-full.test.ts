import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smallDisk } from "../../chaos/small-disk.ts";
import { sampleOf } from "../support/fixtures.ts";
import { isInstalled } from "../support/task.ts";

const run = promisify(execFile);
/** LibreOffice starts twice, which takes half a minute on a busy machine. */
const RUN_MS_MAX = 150_000;
const DISK_MEGABYTES = 60;

/** On a real full disk, if the system provides one for tests. */
describe("a conversion on a full disk", () => {
  let disk: Awaited<ReturnType<typeof smallDisk>>;
  beforeAll(async () => {
    disk = await smallDisk(DISK_MEGABYTES);
  });
  afterAll(() => disk?.remove());

  it.for([
    ["png", "jpg", "sharp"],
    ["zip", "tar", "seven-zip"],
    ["rst", "docx", "pandoc"],
    ["odt", "docx", "soffice"],
    ["wav", "mp3", "ffmpeg"],
  ] as const)(
    "from %s to %s fails with a server error, and does not report the file as damaged",
    { timeout: RUN_MS_MAX },
    async ([from, to, engine], context) => {
      const isThere = engine === "sharp" || isInstalled(engine);
      context.skip(disk === undefined || !isThere, "Not available on this machine.");
      const { through = [], path = "" } = disk?.inside ?? {};
      const program = join(import.meta.dirname, "../support/processes/full-disk.ts");
      const [first = "", ...rest] = [...through, process.execPath, program, sampleOf(from), from, to, engine];
      const { stdout } = await run(first, rest, { env: { ...process.env, TMPDIR: path }, timeout: RUN_MS_MAX });
      const [calm, full] = stdout.trim().split("\n");
      expect(calm).toBe("done");
      expect(["unexpected", "ENOSPC", "engine_failed"]).toContain(full);
    },
  );
});
