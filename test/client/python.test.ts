import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PYTHON, withPython } from "../engines/support/tools.ts";
import { IS_COMPLETE } from "../support/run/complete.ts";
import { startAwsTarget } from "../support/services/targets.ts";
import { faultyProxy } from "./support/faulty-proxy.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

/** The Python client with Debian's Python and httpx, on a real service. Its tests use only the standard library. */

const folder = join(import.meta.dirname, "../../client/python");
const modules = globSync("tests/test_*.py", { cwd: folder }).map((path) => path.replace(/^tests\/|\.py$/g, ""));
const run = promisify(execFile);

let bench: Bench;
beforeAll(async () => {
  // The test programs are servers on this machine that the service fetches from and delivers to.
  bench = await openBench({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });
});
afterAll(() => bench.close());

interface Python {
  readonly url: string;
  readonly apiKey: string;
  /** Where the package is: a folder, or a wheel. */
  readonly path: string;
}

/** @returns the output of both streams @throws for another exit code than 0, with the output */
const python = async ({ url, apiKey, path }: Python, args: readonly string[]): Promise<string> => {
  const env = {
    PATH: process.env.PATH,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONPATH: path,
    ANYFORM_URL: url,
    ANYFORM_API_KEY: apiKey,
  };
  const { stdout, stderr } = await run(PYTHON, ["-W", "error", ...args], { cwd: folder, env, timeout: 170_000 });
  return stdout + stderr;
};

const tested = async (module: string, { url, apiKey }: Pick<Python, "apiKey" | "url">): Promise<void> => {
  const output = await python({ url, apiKey, path: "src" }, ["-m", "unittest", `tests.${module}`]);
  expect(output).toMatch(/^Ran [1-9]\d* tests? in .*\n\nOK$/m);
  expect(output).not.toContain("Exception ignored");
};

describe("the Python client", () => {
  it("has tests", () => {
    expect(modules.length).toBeGreaterThan(3);
  });

  it.each(modules)(
    "passes %s",
    async (module) => {
      if (withPython("httpx")) {
        await tested(module, { url: bench.service.url, apiKey: bench.apiKey });
      }
    },
    180_000,
  );

  it("gets every result over a connection that loses, truncates, repeats or rejects every fifth request", async () => {
    if (!withPython("httpx")) {
      return;
    }
    const proxy = await faultyProxy(bench.service.url);
    try {
      await tested("test_faults", { url: proxy.url, apiKey: bench.apiKey });
      expect([...proxy.struck.keys()]).toHaveLength(7);
    } finally {
      proxy.close();
    }
  });

  // The client of TypeScript passes the same on AWS in every run.
  it.runIf(IS_COMPLETE)(
    "passes its conversions on AWS, where requests and responses are smaller",
    async () => {
      if (!withPython("httpx")) {
        return;
      }
      const { target, stop } = await startAwsTarget();
      try {
        await tested("test_convert", { url: target.client.url, apiKey: target.account.api_key });
      } finally {
        await stop();
      }
    },
    300_000,
  );

  it("is built as a wheel with its types and license, which converts a file", async () => {
    if (!withPython("httpx", "hatchling")) {
      return;
    }
    const built = await mkdtemp(join(bench.folder, "wheel-"));
    await python({ url: "", apiKey: "", path: "" }, ["-m", "hatchling", "build", "-t", "wheel", "-d", built]);
    const [name = ""] = await readdir(built);
    expect(name).toBe("anyform-0.1.0-py3-none-any.whl");
    const wheel = join(built, name);
    const program = `
import anyform, sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
assert {"anyform/py.typed", "anyform/_sync/client.py"} <= set(names), names
assert any(name.endswith("/LICENSE") for name in names), names
assert not any("test" in name for name in names), names
metadata = zipfile.ZipFile(sys.argv[1]).read("anyform-0.1.0.dist-info/METADATA").decode()
assert "Requires-Python: >=3.9" in metadata and "Apache-2.0" in metadata and "httpx" in metadata, metadata
assert anyform.__file__.startswith(sys.argv[1]), anyform.__file__
print(anyform.Anyform().convert(sys.argv[2], "jpg"))
`;
    const output = await python({ url: bench.service.url, apiKey: bench.apiKey, path: wheel }, [
      "-c",
      program,
      wheel,
      fixture("sample.png"),
    ]);
    expect(output).toMatch(/^<ConvertedFile 'sample.jpg', \d+ bytes, image\/jpeg>$/m);
  });
});
