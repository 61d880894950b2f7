import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { engineIds, engineOf, namesOf } from "../../functions/domain/conversions/engines.ts";
import { type Machine, systemOf } from "../../local/engines/installation.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { packageList, readPackages } from "../../local/engines/packages.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const machine = (overrides: Partial<Machine>): Machine => ({
  platform: "linux",
  osRelease: 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n',
  isRoot: true,
  has: () => true,
  ...overrides,
});

const UBUNTU = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n';
const MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n';

describe("the install command", () => {
  test("on Debian is apt, with the missing packages and without recommended ones", () => {
    expect(systemOf(machine({}))?.install(["pandoc", "ffmpeg"], machine({}))).toEqual({
      commands: [
        ["apt-get", "update", "-qq"],
        // biome-ignore format: shows the command on one line
        ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends", "pandoc", "ffmpeg"],
      ],
      advice: [],
    });
  });

  test("runs as root with sudo, and is only printed without sudo", () => {
    const user = machine({ isRoot: false });
    const { commands = [] } = systemOf(user)?.install(["pandoc"], user) ?? {};
    expect(commands.map(([program]) => program)).toEqual(["sudo", "sudo"]);
    const without = machine({ isRoot: false, has: (program) => program !== "sudo" });
    expect(systemOf(without)?.install(["pandoc"], without)).toEqual({
      commands: [],
      advice: [expect.stringMatching(/as root.* pandoc$/)],
    });
  });

  test.each([UBUNTU, MINT])(
    "on Ubuntu and its derivatives omits Chromium, which is a snap there, and reports it: %o",
    (osRelease) => {
      const ubuntu = machine({ osRelease, has: (program) => program !== "google-chrome" });
      const system = systemOf(ubuntu);
      expect(system?.packages(packageList()).filter((name) => name.startsWith("chromium"))).toEqual([]);
      expect(system?.packages(packageList())).toContain("ffmpeg");
      expect(system?.install(["ffmpeg"], ubuntu).advice).toEqual([expect.stringContaining("snap")]);
    },
  );

  test("on macOS is brew, with separate commands for casks and formulas, and no empty command", () => {
    const mac = machine({ platform: "darwin", osRelease: "" });
    const system = systemOf(mac);
    expect(system?.packages(packageList())).toContain("cask/libreoffice");
    expect(system?.install(["pandoc", "cask/calibre"], mac).commands).toEqual([
      ["brew", "install", "--formula", "pandoc"],
      ["brew", "install", "--cask", "calibre"],
    ]);
    expect(system?.install(["pandoc"], mac).commands).toHaveLength(1);
  });

  test.each([
    { platform: "linux", osRelease: "ID=fedora\n" },
    { platform: "linux", osRelease: "ID=alpine\n" },
    { platform: "win32", osRelease: "" },
    { platform: "darwin", osRelease: "", has: () => false },
  ] as const)("is empty if the package manager is unknown: %o", (other) => {
    expect(systemOf(machine(other))).toBeUndefined();
  });
});

describe("the package list", () => {
  test("has valid, unique package names", () => {
    const names = packageList().flatMap(({ apt }) => apt ?? []);
    expect(names.filter((name) => !/^[a-z0-9][a-z0-9+.-]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const casks = packageList().flatMap(({ brew }) => brew ?? []);
    expect(casks.filter((name) => !/^(?:cask\/)?[a-z0-9][a-z0-9-]+$/.test(name))).toEqual([]);
    expect(new Set(casks).size).toBe(casks.length);
  });

  test("has no package for a dash, and skips comments", () => {
    expect(readPackages("# apt brew\n\na cask/b  what for\nc -  d\n- e f\n")).toEqual([
      { apt: "a", brew: "cask/b" },
      { apt: "c", brew: undefined },
      { apt: undefined, brew: "e" },
    ]);
  });

  test("matches the packages of the container image, and CI installs them with the command", () => {
    const dockerfile = readFileSync("layers/image/Dockerfile", "utf8").replaceAll("\\\n", "");
    const program = /awk '([^']+)' \/tmp\/packages\.txt/.exec(dockerfile)?.[1] ?? "";
    const installed = execFileSync("awk", [program, "layers/image/packages.txt"], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(installed).toEqual(packageList().flatMap(({ apt }) => apt ?? []));
    expect(dockerfile).toMatch(/xargs apt-get install .*--no-install-recommends/);
    const ci = readFileSync(".ci/run", "utf8");
    expect(ci).toContain("npm run engines\n");
    const tools = /^tools=\(([^)]*)\)/m.exec(ci)?.[1]?.trim().split(/\s+/) ?? [];
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter((tool) => installed.includes(tool))).toEqual([]);
  });
});

const withPrograms = engineIds.filter((id) => engineOf(id).programs !== undefined);

/** @returns the output and exit code of `npm run engines -- --check`, with only the given programs available */
const check = (path: string) => {
  const { stdout, status } = spawnSync(process.execPath, ["local/engines/install-engines.ts", "--check"], {
    env: { PATH: path },
    encoding: "utf8",
  });
  return { lines: stdout.trim().split("\n"), status };
};

describe("the check", () => {
  const everything = join(folder.path, "all");
  mkdirSync(everything);
  for (const program of new Set(withPrograms.flatMap((id) => engineOf(id).programs ?? []))) {
    const path = join(everything, namesOf(program).at(-1) ?? "");
    writeFileSync(path, `#!/bin/sh\necho "of 2026: version 12.3.4-5 or so"\n`);
    chmodSync(path, 0o755);
  }

  test("lists every engine that starts programs, and fails if none is installed", () => {
    const { lines, status } = check(folder.path);
    expect(status).toBe(1);
    expect(lines.map((line) => /^\S+/.exec(line)?.[0]).filter(Boolean)).toEqual(["engine", ...withPrograms]);
    expect(lines.slice(1).filter((line) => !/\bno\b/.test(line))).toEqual([]);
  });

  test("gets the version of each program by any of its names, and succeeds", () => {
    symlinkSync("/bin/sh", join(everything, "sh"));
    const { lines, status } = check(everything);
    expect(lines.slice(1).filter((line) => !/ 12\.3\.4 +yes/.test(line))).toEqual([]);
    expect(status).toBe(0);
    expect([...installedEngines(everything).keys()]).toEqual(expect.arrayContaining(withPrograms));
  });

  test("lists the formats affected by an engine: only ffmpeg writes MP4", () => {
    const { lines } = check(folder.path);
    const line = lines.find((each) => each.startsWith("ffmpeg")) ?? "";
    expect(line).toContain("mp4");
    expect(line).toMatch(/no +\d{2,}/);
  });
});

test("the service starts without the programs, and logs which are missing and how to install them", async () => {
  const child = spawn(process.execPath, ["--conditions=anyform-local", "local/start.mjs"], {
    env: { PATH: folder.path, HOST: "127.0.0.1", PORT: "0", DATA_DIR: join(folder.path, "data") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += chunk;
    if (/^Not installed: .*\n/m.test(said)) {
      break;
    }
  }
  child.kill("SIGTERM");
  await once(child, "exit");
  expect(said).toMatch(/^Not installed: .*soffice.*ffmpeg.*npm run engines/m);
});
