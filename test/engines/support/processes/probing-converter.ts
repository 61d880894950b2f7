import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/**
 * A compromised converter: it runs the probe that a file names, with its parameters, and answers with a file of the
 * results.
 */

interface Request {
  readonly probe: string;
  readonly paths?: readonly string[];
  readonly port?: number;
}

const codeOf = (work: () => unknown): string => {
  try {
    return `done: ${String(work()).slice(0, 100)}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
};

const each = (paths: readonly string[] = [], work: (path: string) => unknown) =>
  Object.fromEntries(paths.map((path) => [path, codeOf(() => work(path))]));

const reached = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve("connected")).once("error", () => resolve("refused"));
  });

const CONNECT = `const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1");
socket.once("connect", () => process.exit(7)).once("error", () => process.exit(0));`;

const KILOBYTES = Buffer.alloc(100_000, 1);

const endless = (work: (count: number) => void): never => {
  for (let count = 0; ; count += 1) {
    work(count);
  }
};

const openAll = (): number => {
  const opened: number[] = [];
  try {
    return endless(() => opened.push(fs.openSync("/dev/null", "r")));
  } catch {
    return opened.length;
  } finally {
    opened.forEach(fs.closeSync);
  }
};

/** Leaves the process group and the session, like a process that tries to survive. */
const stay = (count: number): void => {
  for (let started = 0; started < count; started += 1) {
    spawn("setsid", ["sleep", "617"], { stdio: "ignore", detached: true }).unref();
  }
};

const probes: Readonly<Record<string, (request: Request, folder: string, input: string) => unknown>> = {
  network: async ({ port = 0 }) => ({
    own: await reached(port),
    program: spawnSync(process.execPath, ["-e", CONNECT, String(port)]).status,
    interfaces: fs
      .readFileSync("/proc/net/dev", "utf8")
      .match(/^\s*\w+(?=:)/gm)
      ?.map((name) => name.trim()),
  }),
  read: ({ paths }) => each(paths, (path) => fs.readFileSync(path, "utf8")),
  list: ({ paths }) => each(paths, (path) => fs.readdirSync(path).sort().join(" ")),
  write: ({ paths }) => each(paths, (path) => fs.writeFileSync(join(path, "written"), "by a converter")),
  "change the input": (_, __, input) => [
    codeOf(() => fs.appendFileSync(input, " by a converter")),
    codeOf(() => fs.chmodSync(input, 0o777)),
    codeOf(() => fs.unlinkSync(input)),
  ],
  environment: () => Object.keys(process.env),
  processes: () => fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length,
  limits: () => fs.readFileSync("/proc/self/limits", "utf8"),
  first: () => fs.readFileSync("/proc/self/oom_score_adj", "utf8").trim(),
  namespaces: () => [spawnSync("unshare", ["--user", "true"]).status, spawnSync("unshare", ["--net", "true"]).status],
  filter: () => fs.readFileSync("/proc/self/status", "utf8").match(/^Seccomp:\s*(\d)/m)?.[1],
  rights: () => fs.readFileSync("/proc/self/status", "utf8").match(/^CapEff:\s*(\w+)/m)?.[1],
  "open files": openAll,
  "a file too long": (_, folder) => codeOf(() => fs.ftruncateSync(fs.openSync(join(folder, "long"), "w"), 20e9)),
  "fill the folder": (_, folder) =>
    endless((count) => fs.writeFileSync(join(folder, `${count % 100}`), KILOBYTES, { flag: "a" })),
  "fill what is temporary": () => endless((count) => fs.writeFileSync(`/tmp/${count % 100}`, KILOBYTES, { flag: "a" })),
  "many files": (_, folder) => endless((count) => fs.writeFileSync(join(folder, String(count)), "")),
  "many processes": () => {
    stay(1_000);
    return new Promise(() => {});
  },
  "memory elsewhere": () => {
    const holding = "const held = Buffer.alloc(300_000_000, 1); setInterval(() => held, 1_000);";
    spawn(process.execPath, ["-e", holding], { stdio: "ignore", detached: true }).unref();
    return new Promise(() => {});
  },
  "a process that stays": () => {
    stay(1);
    return new Promise(() => {});
  },
};

const run = async ({ input, folder }: { input: string; folder: string }): Promise<void> => {
  const request: Request = JSON.parse(fs.readFileSync(input, "utf8"));
  const output = join(folder, "found.json");
  const [path = ""] = request.paths ?? [];
  if (request.probe === "a link as the result") {
    fs.symlinkSync(path, output);
  } else if (request.probe === "a link as the folder") {
    fs.renameSync(folder, `${folder}-moved`);
    fs.symlinkSync(path, folder);
  } else if (request.probe === "no folder") {
    fs.rmSync(folder, { recursive: true });
  } else {
    const found = await probes[request.probe]?.(request, folder, input);
    fs.writeFileSync(output, JSON.stringify({ found }));
  }
  process.send?.({ result: { output, bundled: false, timings: [], warnings: [] } });
};

process.on("message", (task: { input: string; folder: string }) => void run(task));
process.on("disconnect", () => process.exit());
