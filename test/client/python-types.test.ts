import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withPython, withTool } from "../engines/support/tools.ts";

const root = join(import.meta.dirname, "../..");

// Without a cache, mypy takes longer than all tests of the Python client, so this file runs if `client/python` changed.
test("the Python client has complete types", async () => {
  if (withPython("httpx") && withTool("mypy")) {
    // mypy checks its cache against the content of each source file.
    const cache = join(root, "node_modules/.cache/anyform-mypy");
    const { stdout } = await promisify(execFile)("mypy", ["--cache-dir", cache], { cwd: join(root, "client/python") });
    expect(stdout).toMatch(/^Success: no issues found in \d+ source files/);
  }
});
