import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RouteStep } from "../../../functions/domain/conversions/plan.ts";
import type { JobError } from "../../../functions/domain/errors.ts";
import type { RunLimits } from "../../../functions/engines/core/pool/conversation.ts";
import { type ConverterPool, type ConverterPoolSettings, converterPool } from "../../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../../functions/engines/core/sandbox/choose.ts";
import { type Enclosure, enclosures, limitsAlone } from "../../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../../functions/engines/core/sandbox/environment.ts";
import { OPEN_FILES_MAX, PROCESSES_MAX, threadsMax } from "../../../functions/engines/core/sandbox/limits.ts";
import type { ConversionResult, ConversionTask } from "../../../functions/engines/core/task.ts";
import { sandboxFor } from "../../../local/engines/isolation.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { childrenOf, isRunning, until } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";

/** Sandboxes with real converters inside, some of which are compromised. */

const scratch = scratchFolder();
const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const probing = join(import.meta.dirname, "../support/processes/probing-converter.ts");
const LONG = { timeoutMs: 60_000 };
const surroundings = { scratchFolder: scratch.folder, entry, environment: scrubbedEnvironment("/tmp") };

/** Whether this machine allows user namespaces, so that all sandboxes must work. */
const allowsNamespaces = spawnSync("unshare", ["--user", "--net", "true"]).status === 0;

const offered = await Promise.all(
  enclosures.map(async (enclosure) => {
    const { refused } = await chooseEnclosure("auto", surroundings, [enclosure]);
    return { enclosure, name: enclosure.name, reason: refused.join() };
  }),
);
for (const { name, reason } of offered.filter((each) => each.reason !== "")) {
  console.log(`The sandbox ${name} is not tested on this machine. ${reason}`);
}
const available = offered.filter(({ reason }) => reason === "");
const having = (protection: Enclosure["protections"][number]) =>
  available.filter(({ enclosure }) => enclosure.protections.includes(protection));

test.skipIf(process.env.ANYFORM_REQUIRE_ALL === undefined || !allowsNamespaces)(
  "a machine that allows namespaces supports all sandboxes, when everything is required",
  () => {
    expect(offered.map(({ reason }) => reason)).toEqual(offered.map(() => ""));
  },
);

let pools: ConverterPool[] = [];
const poolOf = (enclosure: Enclosure, settings: Partial<ConverterPoolSettings> = {}): ConverterPool => {
  const pool = converterPool({ size: 1, entry: probing, enclosure, scratchFolder: scratch.folder, ...settings });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  pools = [];
});

const taskOf = (input: string, steps: readonly RouteStep[] = []): ConversionTask => {
  const folder = scratch.fresh();
  mkdirSync(folder);
  return { input, folder, steps, options: {} };
};

const probe = (instructions: object): ConversionTask => taskOf(scratch.file(JSON.stringify(instructions)));

const runProbe = (pool: ConverterPool, instructions: object, limits: RunLimits = LONG): Promise<ConversionResult> =>
  pool.run(probe(instructions), limits);

// biome-ignore lint/suspicious/noExplicitAny: each probe returns a different type, which its test checks
const find = async (pool: ConverterPool, instructions: object): Promise<any> =>
  JSON.parse(readFileSync((await runProbe(pool, instructions)).output, "utf8")).found;

const png: RouteStep = { engine: "sharp", from: "png", to: "jpg", options: [] };
const small = (): ConversionTask => taskOf(sampleOf("png"), [png]);

/** @returns the long-running processes that the probes started */
const staying = (): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isRunning(pid) && commandOf(pid) === "sleep 617");

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\u0000").filter(Boolean).join(" ");
  } catch {
    return "";
  }
};

describe.each(available)("in the sandbox of $name", ({ enclosure }) => {
  test("a conversion has the same result as without a sandbox, in its folder, and leaves no other file", async () => {
    const task = small();
    const { output } = await poolOf(enclosure, { entry }).run(task, LONG);
    expect(readdirSync(task.folder)).toEqual(["1-1.jpg"]);
    expect(output).toBe(join(task.folder, "1-1.jpg"));
    expect(await sharp(output).metadata()).toMatchObject({ format: "jpeg" });
    expect(readFileSync(task.input)).toEqual(readFileSync(sampleOf("png")));
  });

  test("accepts several files, from the task's folder and from other folders", async () => {
    const task = taskOf(sampleOf("png"), [{ ...png, engine: "sharp", to: "tiff" }]);
    const own = join(task.folder, "own.png");
    writeFileSync(own, readFileSync(sampleOf("png")));
    const { output } = await poolOf(enclosure, { entry }).run({ ...task, further: [{ path: own, from: "png" }] }, LONG);
    expect((await sharp(output).metadata()).pages).toBe(2);
  });

  test("reads the file of an option, which no other converter sees", async () => {
    const option = "watermark_upload_id" as const;
    const task = taskOf(sampleOf("pdf"), [{ engine: "qpdf", from: "pdf", to: "pdf", options: [option] }]);
    const optionFiles = [{ option, path: sampleOf("png"), from: "png" as const, name: "logo.png" }];
    const { output } = await poolOf(enclosure, { entry }).run(
      { ...task, options: { watermark_upload_id: "upl_1" }, optionFiles },
      LONG,
    );
    const imagesIn = (path: string) =>
      execFileSync("pdfimages", ["-list", path], { encoding: "utf8" }).trim().split("\n").length;
    expect(imagesIn(output)).toBeGreaterThan(imagesIn(sampleOf("pdf")));
  });

  test("a converter stays warm: the next conversion uses the same process, with only its files", async () => {
    const pool = poolOf(enclosure);
    const [one, other] = [probe({ probe: "environment" }), probe({ probe: "environment" })];
    await pool.run(one, LONG);
    await pool.run(other, LONG);
    for (const { folder } of [one, other]) {
      expect(readdirSync(folder)).toEqual(["found.json"]);
    }
  });

  test("a missing file fails its conversion, and the next one succeeds", async () => {
    const pool = poolOf(enclosure, { entry });
    await expect(pool.run(taskOf(scratch.path("gone"), [png]), LONG)).rejects.toThrow();
    await expect(pool.run(small(), LONG)).resolves.toMatchObject({ warnings: [] });
  });

  test("its environment contains only the variables that tools need", async () => {
    Object.assign(process.env, {
      AWS_SECRET_ACCESS_KEY: "secret",
      ANYFORM_PUBLIC_URL: "https://example.test",
      NODE_OPTIONS: "",
    });
    const names: string[] = await find(poolOf(enclosure), { probe: "environment" });
    const paths = ["PATH", "NODE_PATH", "NODE_COMPILE_CACHE", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];
    // bubblewrap sets PWD, and Bash sets _ to the program.
    const allowed = [...paths, "LANG", "HOME", "TMPDIR", "MALLOC_ARENA_MAX", "PWD", "_"];
    const byPool = ["ANYFORM_SANDBOX_ENDS_CONVERTER"];
    const byNode = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    expect(names.filter((name) => ![...allowed, ...byPool, ...byNode].includes(name))).toEqual([]);
    expect(names).toContain("PATH");
  });

  test("limits open files, and the converter keeps working", async () => {
    const opened: number = await find(poolOf(enclosure), { probe: "open files" });
    expect(opened).toBeGreaterThan(OPEN_FILES_MAX / 2);
    expect(opened).toBeLessThanOrEqual(OPEN_FILES_MAX);
  });

  test("limits files to the size of the largest archive member", async () => {
    const code = await runProbe(poolOf(enclosure), { probe: "a file too long" }).then(
      async ({ output }) => JSON.parse(readFileSync(output, "utf8")).found,
      (error: JobError) => error.code,
    );
    expect(["EFBIG", "output_too_large"]).toContain(code);
  });

  test("sets kernel limits on core dumps, CPU and memory, and is killed first when the machine runs out of memory", async () => {
    const pool = poolOf(enclosure);
    const limits: string = await find(pool, { probe: "limits" });
    const limitOf = (name: string) => new RegExp(`^${name}\\s+(\\S+)`, "m").exec(limits)?.[1];
    expect(limitOf("Max core file size")).toBe("0");
    expect(limitOf("Max open files")).toBe(String(OPEN_FILES_MAX));
    for (const name of ["Max cpu time", "Max data size", "Max file size"]) {
      expect(Number(limitOf(name)), name).toBeGreaterThan(0);
    }
    if (enclosure.protections.includes("processes")) {
      expect(limitOf("Max processes")).toBe(String(threadsMax()));
    }
    expect(await find(pool, { probe: "first" })).toBe("1000");
  });

  test("a conversion that fills the disk fails as too large, its files are removed, and the next one succeeds", async () => {
    const pool = poolOf(enclosure);
    const filling = probe({ probe: "fill the folder" });
    const failure = pool.run(filling, { ...LONG, disk: { bytesMax: 5_000_000, filesMax: 1_000 } });
    await expect(failure).rejects.toThrow("The conversion wrote over 5000000 bytes to the disk.");
    expect(await codeOf(failure)).toBe("output_too_large");
    expect(existsSync(filling.folder)).toBe(true);
    await expect(find(pool, { probe: "environment" })).resolves.toContain("PATH");
  });

  test("a conversion that creates too many files fails", async () => {
    const failure = runProbe(
      poolOf(enclosure),
      { probe: "many files" },
      { ...LONG, disk: { bytesMax: 1e9, filesMax: 500 } },
    );
    await expect(failure).rejects.toThrow("The conversion wrote over 500 files to the disk.");
  });

  test("rejects a link as a result, so that no other file can be delivered", async () => {
    const secret = scratch.file("a secret");
    const failure = runProbe(poolOf(enclosure), { probe: "a link as the result", paths: [secret] });
    expect(await codeOf(failure)).toBe("engine_crashed");
  });

  // Without file isolation, a converter can delete any folder.
  test.each(enclosure.protections.includes("files") ? ["a link as the folder", "no folder"] : [])(
    "%s of its task gains nothing: the job fails, its converter ends, and the next job has a folder",
    async (what) => {
      const [pool, secrets] = [poolOf(enclosure), scratch.fresh()];
      mkdirSync(secrets);
      writeFileSync(join(secrets, "found.json"), "a secret");
      const task = probe({ probe: what, paths: [secrets] });
      const before = childrenOf();
      expect(await codeOf(pool.run(task, LONG))).toBe("engine_crashed");
      expect(readdirSync(task.folder)).toEqual([]);
      expect(lstatSync(task.folder).isDirectory()).toBe(true);
      expect(readdirSync(secrets)).toEqual(["found.json"]);
      await until(() => childrenOf().length === before.length);
      await expect(runProbe(pool, { probe: "processes" })).resolves.toMatchObject({ warnings: [] });
    },
  );

  test("a converter ends when the service is killed", async () => {
    // Its folder remains, and the next start of a service removes it.
    const parent = scratch.fresh();
    const folder = join(parent, "job");
    mkdirSync(folder, { recursive: true });
    const script = join(import.meta.dirname, "../support/processes/pool-owner.ts");
    const owner = spawn(process.execPath, [script, sampleOf("png"), folder, "wait", enclosure.name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(owner.stdout, "data");
    const pids: number[] = JSON.parse(String(line));
    expect(pids).toHaveLength(2);
    expect(pids.every(isRunning)).toBe(true);
    owner.kill("SIGKILL");
    await until(() => !pids.some(isRunning));
  });

  test("a converter is replaced when it is old", async () => {
    const pool = poolOf(enclosure, { entry, ageMsMax: 0 });
    const before = childrenOf();
    await pool.run(small(), LONG);
    // Processes of former tests may end meanwhile.
    expect(childrenOf().filter((id) => !before.includes(id))).toEqual([]);
    await expect(pool.run(small(), LONG)).resolves.toMatchObject({ warnings: [] });
  });
});

describe.each(having("network"))("network isolation with $name", ({ enclosure }) => {
  let canary: Server;
  let calls = 0;
  beforeAll(async () => {
    canary = createServer(() => {
      calls += 1;
    }).listen(0, "127.0.0.1");
    await once(canary, "listening");
  });
  afterAll(() => canary.close());

  test("neither a converter nor a program that it starts can reach the machine's loopback interface", async () => {
    const address = canary.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const within = await find(poolOf(enclosure), { probe: "network", port });
    expect(within).toEqual({ own: "refused", program: 0, interfaces: ["lo"] });
    expect(calls).toBe(0);
    // Control: without a sandbox, the same probe reaches it.
    const without = await find(poolOf(limitsAlone), { probe: "network", port });
    expect(without).toMatchObject({ own: "connected", program: 7 });
  });
});

describe.each(having("processes"))("process isolation with $name", ({ enclosure }) => {
  test("a converter sees no other process, and has no rights", async () => {
    const pool = poolOf(enclosure);
    expect(await find(pool, { probe: "processes" })).toBeLessThanOrEqual(3);
  });

  test("kills processes that left the group and the session, too", async () => {
    const running = runProbe(poolOf(enclosure), { probe: "a process that stays" }, { timeoutMs: 3_000 });
    const failed = codeOf(running);
    await until(() => staying().length === 1);
    expect(await failed).toBe("timed_out");
    expect(staying()).toEqual([]);
  });

  test("ends a converter that starts too many processes, with all of them, and the service keeps working", async () => {
    const pool = poolOf(enclosure);
    const failure = runProbe(pool, { probe: "many processes" });
    await expect(failure).rejects.toThrow(`The conversion started more than ${PROCESSES_MAX} processes.`);
    expect(staying()).toEqual([]);
    await expect(find(pool, { probe: "environment" })).resolves.toContain("PATH");
  });

  test("counts the memory of all processes, in any process group", async () => {
    const limits = { ...LONG, memoryBytesMax: 300_000_000 };
    expect(await codeOf(runProbe(poolOf(enclosure), { probe: "memory elsewhere" }, limits))).toBe("out_of_memory");
    const enough = { ...LONG, timeoutMs: 3_000, memoryBytesMax: 900_000_000 };
    expect(await codeOf(runProbe(poolOf(enclosure), { probe: "memory elsewhere" }, enough))).toBe("timed_out");
  });
});

describe.each(having("files"))("file isolation with $name", ({ enclosure }) => {
  const root = join(import.meta.dirname, "../../..");

  test("a converter cannot read files of the service or of its user, by any path", async () => {
    const secret = scratch.file("a secret");
    const paths = [
      secret,
      join(root, "README.md"),
      "/etc/shadow",
      "/etc/hostname",
      "/proc/1/environ",
      "/proc/1/root/etc/shadow",
    ];
    const found = await find(poolOf(enclosure), { probe: "read", paths });
    expect(found["/proc/1/environ"]).not.toContain("AWS_SECRET");
    for (const path of paths.filter((each) => each !== "/proc/1/environ")) {
      expect(found[path], path).toMatch(/^(ENOENT|EACCES)$/);
    }
    const listed = await find(poolOf(enclosure), { probe: "list", paths: [scratch.folder, root] });
    expect(listed[scratch.folder]).toMatch(/^done: converter-\w+$/);
    expect(listed[root]).toBe("done: node_modules package.json test");
  });

  test("a converter can write only its files: not the programs, its code, or the root", async () => {
    const paths = [
      "/",
      "/usr",
      "/etc",
      "/dev",
      "/sys/fs/cgroup",
      "/bin",
      import.meta.dirname,
      join(root, "node_modules"),
    ];
    const found = await find(poolOf(enclosure), { probe: "write", paths });
    expect(Object.fromEntries(paths.map((path) => [path, /^(EROFS|ENOENT|EACCES|EPERM)$/.test(found[path])]))).toEqual(
      Object.fromEntries(paths.map((path) => [path, true])),
    );
    expect(existsSync(join(import.meta.dirname, "written"))).toBe(false);
  });

  test("a converter cannot change its input", async () => {
    const task = probe({ probe: "change the input" });
    const { output } = await poolOf(enclosure).run(task, LONG);
    expect(JSON.parse(readFileSync(output, "utf8")).found).toEqual(["EROFS", "EROFS", "EROFS"]);
    expect(readFileSync(task.input, "utf8")).toBe('{"probe":"change the input"}');
  });

  test("concurrent converters see neither each other's files nor each other's /tmp", async () => {
    const pool = poolOf(enclosure, { size: 2 });
    const [one, other] = await Promise.all([
      find(pool, { probe: "write", paths: ["/tmp"] }),
      find(pool, { probe: "list", paths: ["/tmp"] }),
    ]);
    expect(one["/tmp"]).toBe("done: undefined");
    expect(other["/tmp"]).not.toContain("written");
  });

  test("counts files in /tmp toward the job's limit, and removes them with it", async () => {
    const failure = runProbe(
      poolOf(enclosure),
      { probe: "fill what is temporary" },
      { ...LONG, disk: { bytesMax: 5e6, filesMax: 1e4 } },
    );
    expect(await codeOf(failure)).toBe("output_too_large");
    expect(readdirSync(scratch.folder).filter((name) => name.startsWith("converter-"))).toEqual([]);
  });

  test("a converter has no capabilities, whatever user runs the service", async () => {
    expect(await find(poolOf(enclosure), { probe: "rights" })).toBe("0000000000000000");
  });
});

describe.each(having("kernel"))("system calls with $name", ({ enclosure }) => {
  test("a converter and its programs have a filter, and cannot create namespaces", async () => {
    const pool = poolOf(enclosure);
    expect(await find(pool, { probe: "filter" })).toBe("2");
    const [user, network]: number[] = await find(pool, { probe: "namespaces" });
    expect(user).toBeGreaterThan(0);
    expect(network).toBeGreaterThan(0);
  });
});

/** Folders that are mounted, or that contain mounted programs. */
const MOUNTED = ["/opt", "/usr/local/src", "/usr/src"].filter((folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
});

describe.each(having("files"))("data of the service with $name", ({ enclosure }) => {
  const made: string[] = [];
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
    for (const folder of made.splice(0)) {
      rmSync(folder, { recursive: true });
    }
  });

  /** An installation whose programs are on the PATH, with its data in a subfolder. */
  const installedIn = (parent: string) => {
    const project = mkdtempSync(join(parent, "anyform-test-"));
    made.push(project);
    const dataDir = join(project, ".data");
    const scratchIn = join(dataDir, "scratch");
    mkdirSync(join(project, "bin"));
    mkdirSync(scratchIn, { recursive: true });
    writeFileSync(join(dataDir, "api-key"), "a secret");
    process.env.PATH = `${join(project, "bin")}:${path}`;
    return { project, dataDir, scratchIn, key: join(dataDir, "api-key") };
  };

  const runIn = async (pool: ConverterPool, folder: string, instructions: object) => {
    mkdirSync(folder);
    const input = `${folder}.json`;
    writeFileSync(input, JSON.stringify(instructions));
    const { output } = await pool.run({ input, folder, steps: [], options: {} }, LONG);
    return JSON.parse(readFileSync(output, "utf8")).found;
  };

  test.each(MOUNTED)("in %s is hidden from converters, whose jobs are stored in it", async (parent) => {
    const { project, dataDir, scratchIn, key } = installedIn(parent);
    const pool = poolOf(enclosure, { scratchFolder: scratchIn, hidden: [dataDir] });
    const found = await runIn(pool, join(scratchIn, "job"), { probe: "read", paths: [key, join(project, "bin/none")] });
    expect(found).toEqual({ [key]: "ENOENT", [join(project, "bin/none")]: "ENOENT" });
    expect(await runIn(pool, join(scratchIn, "next"), { probe: "list", paths: [dataDir] })).toEqual({
      [dataDir]: "done: scratch",
    });
    const written = await runIn(pool, join(scratchIn, "last"), { probe: "write", paths: [dataDir] });
    expect(written[dataDir]).toBe("EROFS");
    // Control: without the setting, the same probe reads the key.
    const open = poolOf(enclosure, { scratchFolder: scratchIn });
    expect(await runIn(open, join(scratchIn, "open"), { probe: "read", paths: [key] })).toEqual({
      [key]: "done: a secret",
    });
  });

  test.each(MOUNTED)("in %s is checked at startup, from inside", async (parent) => {
    const { dataDir, scratchIn } = installedIn(parent);
    const converters = { scratchFolder: scratchIn, converterEntry: entry, hidden: [dataDir] };
    const { summary } = await sandboxFor("require", converters, [enclosure]);
    expect(summary).toMatch(/^Checked from inside: data, .* cannot be reached\.$/m);
    const { command, ...same } = enclosure;
    const leaking: Enclosure = { ...same, command: (inner, inside) => command(inner, { ...inside, hidden: [] }) };
    await expect(sandboxFor("require", converters, [leaking])).rejects.toThrow(
      `but a program in the sandbox (${enclosure.name}) reached: ${join(dataDir, "api-key")}, `,
    );
    expect((await sandboxFor("auto", converters, [leaking])).summary).toContain(
      `REACHED from inside: ${join(dataDir, "api-key")}, `,
    );
  });

  test("is hidden when a symbolic link leads to it", async () => {
    const { dataDir, scratchIn, key } = installedIn(MOUNTED[0] ?? scratch.folder);
    const link = scratch.path("linked-data");
    symlinkSync(dataDir, link);
    const pool = poolOf(enclosure, { scratchFolder: scratchIn, hidden: [link] });
    expect(await runIn(pool, join(scratchIn, "job"), { probe: "read", paths: [key] })).toEqual({ [key]: "ENOENT" });
  });
});

test("a program without a sandbox reaches everything that the check at startup tries", async () => {
  const data = scratch.fresh();
  mkdirSync(data);
  writeFileSync(join(data, "api-key"), "a secret");
  const { reached } = await chooseEnclosure("auto", { ...surroundings, hidden: [data] }, [limitsAlone]);
  expect(reached?.files).toContain(join(data, "api-key"));
  expect(reached).toMatchObject({ network: true, processes: true, kernel: allowsNamespaces });
});

describe("the choice of a sandbox", () => {
  const missing: Enclosure = { ...limitsAlone, name: "bwrap", protections: [], command: () => ["no-such-program"] };
  const failing: Enclosure = {
    ...limitsAlone,
    name: "unshare",
    command: () => ["/bin/sh", "-c", "echo Operation not permitted >&2; exit 1"],
  };

  test("selects the best one that works, and reports why better ones do not", async () => {
    const { enclosure, refused } = await chooseEnclosure("auto", surroundings, [missing, failing, limitsAlone]);
    expect(enclosure).toBe(limitsAlone);
    expect(refused).toEqual([
      "bwrap: The program no-such-program could not be started.",
      "unshare: Operation not permitted",
    ]);
  });

  test("leaves no folders", () => {
    expect(readdirSync(scratch.folder).filter((name) => name.startsWith("converter-"))).toEqual([]);
  });

  const converters = { scratchFolder: scratch.folder, converterEntry: entry };

  test("none: only limits, and the operator is informed of missing protections", async () => {
    const { enclosure, summary } = await sandboxFor("none", converters);
    expect(enclosure).toBe(limitsAlone);
    expect(summary).toContain("NOT restricted: files, network, other processes, system calls.");
  });

  test("auto: the operator is informed of the active protections", async () => {
    const { enclosure, summary } = await sandboxFor("auto", converters);
    expect(summary).toContain(`Sandbox (${enclosure.name})`);
    expect(summary.includes("NOT")).toBe(!enclosure.protections.includes("kernel"));
  });

  test("require: the service does not start without all of them", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nonexistent";
    try {
      await expect(sandboxFor("require", converters)).rejects.toThrow(
        /ANYFORM_ISOLATION is "require", but the sandbox cannot restrict files/,
      );
    } finally {
      process.env.PATH = path;
    }
  });
});
