import { readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { office } from "../../../../functions/engines/documents/soffice/office.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** The Python that comes with LibreOffice, or comes first, may not have its bridge. */

const scratch = scratchFolder();
const SYSTEM_OFFICE = "/usr/lib/libreoffice/program/soffice.bin";
const SYSTEM_PYTHON = "/usr/bin/python3";

const path = process.env.PATH;
beforeAll(() => {
  const program = (name: string, line: string): void =>
    writeFileSync(scratch.path(name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  program("soffice", `exec ${SYSTEM_OFFICE} "$@"`);
  // Without the packages of the system, and with a note that it was started.
  program("python", `echo started >> ${scratch.path("log")}; exec ${SYSTEM_PYTHON} -S "$@"`);
  process.env.PATH = [scratch.folder, path].join(delimiter);
});
afterAll(() => {
  process.env.PATH = path;
});

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux")("a Python without the bridge", () => {
  test("is not used again when the next one has it", async () => {
    const convert = convertingBy("soffice", scratch);
    const { path: pdf } = await convert(sampleOf("docx"), ["docx", "pdf"]);
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    const { pid } = await office.use(async (program) => program);
    process.kill(pid, "SIGKILL");
    await convert(sampleOf("docx"), ["docx", "pdf"]);
    expect(readFileSync(scratch.path("log"), "utf8")).toBe("started\n");
  });
});
