import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smallDisk } from "../chaos/small-disk.ts";
import { sampleOf } from "./support/fixtures.ts";
import { isInstalled } from "./support/task.ts";

const run = promisify(execFile);
/** An office program starts twice, which takes half a minute where others have the machine. */
const RUN_MS_MAX = 150_000;
const DISK_MEGABYTES = 60;

/** On a real disk that is full, where the system gives one to tests. */
describe("a conversion without room on the disk", () => {
  let disk: Awaited<ReturnType<typeof smallDisk>>;
  beforeAll(async () => {
    disk = await smallDisk(DISK_MEGABYTES);
  });
  afterAll(() => disk?.remove());

  it.for([
    ["png", "jpg", "sharp"],
    ["zip", "tar", "sevenzip"],
    ["rst", "docx", "pandoc"],
    ["odt", "docx", "soffice"],
  ] as const)(
    "of %s into %s fails through our fault: the file is not called damaged",
    { timeout: RUN_MS_MAX },
    async ([from, to, engine], context) => {
      const isThere = (engine !== "pandoc" && engine !== "soffice") || isInstalled(engine);
      context.skip(disk === undefined || !isThere, "It is not to be had here.");
      const { through = [], path = "" } = disk?.inside ?? {};
      const program = join(import.meta.dirname, "support/full-disk.ts");
      const [first = "", ...rest] = [...through, process.execPath, program, sampleOf(from), from, to, engine];
      const { stdout } = await run(first, rest, { env: { ...process.env, TMPDIR: path }, timeout: RUN_MS_MAX });
      const [calm, full] = stdout.trim().split("\n");
      expect(calm).toBe("done");
      expect(["unexpected", "ENOSPC", "engine_failed"]).toContain(full);
    },
  );
});
