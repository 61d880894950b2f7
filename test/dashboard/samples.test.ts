import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  clientSample,
  fetchSample,
  isCompleteKey,
  requestsSample,
  type SampleOf,
  urllibSample,
} from "../../dashboard/pages/docs/samples.ts";
import { PYTHON, withPython } from "../engines/support/tools.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const RUN_MS_MAX = 60_000;
const root = join(import.meta.dirname, "../..");

describe("the programs of the quick start, as displayed, run", () => {
  let service: LocalService;
  let folder: TemporaryFolder;
  let of: SampleOf;
  beforeAll(async () => {
    service = await startLocalService();
    folder = temporaryFolder();
    of = { address: service.url, key: (await readFile(join(service.dataDir, "api-key"), "utf8")).trim() };
  });
  afterAll(async () => {
    await service?.stop();
    await service?.erase();
    await folder?.remove();
  });

  const runs = async (name: string, program: string, command: string): Promise<void> => {
    const cwd = join(folder.path, name.replace(/\W/g, "-"));
    await mkdir(join(cwd, "node_modules/@anyform"), { recursive: true });
    await symlink(join(folder.path, "client"), join(cwd, "node_modules/@anyform/client"));
    await writeFile(join(cwd, name), program);
    const { stdout } = await run(command, [name], { cwd, timeout: RUN_MS_MAX });
    const people = JSON.parse(await readFile(join(cwd, "people.json"), "utf8")) as { name: string }[];
    expect(people.map((person) => person.name)).toEqual(["Ada", "Grace"]);
    expect(JSON.parse(stdout)).toEqual(people);
  };

  test("with the client", async () => {
    await run(process.execPath, ["client/build.ts", join(folder.path, "client")], { cwd: root, timeout: RUN_MS_MAX });
    await runs("client.mts", clientSample(of), process.execPath);
  });

  test("with fetch only", () => runs("fetch.mts", fetchSample(of), process.execPath));

  test("in Python with its standard library", async (context) => {
    context.skip(!withPython(), "Python is not installed.");
    await runs("plain.py", urllibSample(of), PYTHON);
  });

  test("in Python with the requests package", async (context) => {
    context.skip(!withPython("requests"), "The package requests is not installed.");
    await runs("packages.py", requestsSample(of), PYTHON);
  });

  test("with a complete key only", () => {
    expect(isCompleteKey(of.key)).toBe(true);
    for (const text of [
      "",
      "af_live_abc",
      `${of.key} `,
      of.key.replace("af_live_", "sk_live_"),
      `${of.key}'; rm -rf /`,
    ]) {
      expect(isCompleteKey(text), text).toBe(false);
    }
  });
});
