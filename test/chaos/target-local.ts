import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { furtherSlotsFor, WARM_CONVERTERS_MAX } from "../../local/queue/warm-up.ts";
import type { Random } from "../support/random.ts";
import { startArguments } from "../support/services/local-service.ts";
import { preyOf, type Started, signal, startedBy } from "./processes.ts";
import { compiledIn, type Mortal, mortal } from "./service.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";
import type { ChaosTarget, Fault } from "./target.ts";

const run = promisify(execFile);
const MINUTE_MS = 60_000;
/** More than the age at which a file without a record is erased, less than the lifetime of results. */
const UNKNOWN_GONE_MS = 14 * 60 * MINUTE_MS;
/** More than the day for which all files are kept, plus the jumps of the clock. */
const ALL_GONE_MS = 28 * 60 * MINUTE_MS;
/** Space for three large uploads in progress, three copies each. */
const DISK_MEGABYTES = 1_500;
const BESIDE_MS_MAX = 60_000;
const root = join(import.meta.dirname, "../..");

/** The one-machine service, as `npm start` starts it, on a separate disk if the system allows one. */
export const localChaos = async (folder: string): Promise<ChaosTarget> => {
  const disk = await smallDisk(DISK_MEGABYTES);
  const plain = disk === undefined ? await mkdtemp(join(tmpdir(), "anyform-chaos-data-")) : "";
  const dataDir = disk?.path ?? plain;
  const environment = {
    DATA_DIR: disk?.inside.path ?? plain,
    HOST: "127.0.0.1",
    PORT: "0",
    ANYFORM_ALLOW_ADDRESSES: "127.0.0.1",
  };
  const service = mortal({
    ...(disk && { through: disk.inside.through }),
    args: startArguments(),
    env: environment,
    folder,
  });
  await service.revive();
  /** Runs one of our programs next to the service, on the same data. @returns what it prints */
  const runProgram = async (args: readonly string[], clock = "clock"): Promise<string> => {
    const [program = "", ...rest] = [...(disk?.inside.through ?? []), process.execPath, ...args];
    const env = { ...process.env, ...environment, ...compiledIn(folder), CHAOS_CLOCK: join(folder, clock) };
    return (await run(program, rest, { env, timeout: BESIDE_MS_MAX, cwd: root })).stdout;
  };
  const ours = (name: string): string[] => [
    ...["--conditions=anyform-local", "--import", join(import.meta.dirname, "clock.ts")],
    join(import.meta.dirname, name),
  ];
  return {
    name: "local",
    url: service.url,
    accounts: async <Result>(args: string[]) =>
      JSON.parse(await runProgram(["--conditions=anyform-local", "local/accounts.ts", ...args, "--json"])) as Result,
    faults: [
      ...processFaults(service),
      ...databaseFaults((sql, ms) => runProgram([...ours("other-process.ts"), sql, String(ms)])),
      ...diskFaults(disk),
      clockJumps(service),
      {
        name: "two more concurrent sweepers",
        weight: 1,
        // Like the service, it may find the disk full or the database busy: then the sweep fails.
        strike: () =>
          runProgram(ours("sweep.ts")).then(
            () => true,
            () => true,
          ),
      },
    ],
    impossible: disk === undefined ? ["disk full, folder read-only: no user namespace with a separate disk"] : [],
    sweep: async () => void (await runProgram(ours("sweep.ts"))),
    setClock: service.setClock,
    calm: service.revive,
    orphans: async () => {
      // A start cleans up after killed processes.
      await service.stop();
      await service.revive();
      const tidied = async (aheadMs: number, ...args: string[]): Promise<string[]> => {
        writeFileSync(join(folder, "later"), String(aheadMs));
        return (await runProgram([...ours("sweep.ts"), "tidy", ...args], "later")).split("\n").filter(Boolean);
      };
      const unknown = await tidied(UNKNOWN_GONE_MS);
      const left = await tidied(ALL_GONE_MS, "all");
      return [
        ...unknown,
        ...left,
        ...withoutRunning(
          ["scratch", "files/tmp", "files/parts"].flatMap((place) => namesIn(join(dataDir, place), place)),
        ),
      ];
    },
    stop: async () => {
      await service.stop();
      await (disk?.remove() ?? rm(plain, { recursive: true, force: true }));
    },
  };
};

const namesIn = (path: string, place: string): string[] =>
  existsSync(path) ? readdirSync(path).map((name) => `${place}/${name}`) : [];

/** @returns the names without the folders of the converters and the rehearsal that the running service has started */
const withoutRunning = (names: readonly string[]): string[] => {
  const foldersOf = (kind: string): string[] => names.filter((name) => name.startsWith(`scratch/${kind}-`));
  const slots = availableParallelism();
  const converters = Math.min(WARM_CONVERTERS_MAX, slots + furtherSlotsFor(slots));
  const running = [...foldersOf("converter").slice(0, converters), ...foldersOf("rehearsal").slice(0, 1)];
  return names.filter((name) => !running.includes(name));
};

const between = (random: Random, least: number, most: number): number => least + random.below(most - least);

const processFaults = (service: Mortal): Fault[] => {
  const strike = async (random: Random, wanted: Started["kind"], ms: number): Promise<boolean> => {
    const prey = await preyOf(() => startedBy(service.pid()).filter(({ kind }) => kind === wanted));
    if (prey.length === 0) {
      return false;
    }
    const { pid } = random.pick(prey);
    if (ms === 0) {
      return signal(pid, "SIGKILL");
    }
    const done = signal(pid, "SIGSTOP");
    await pause(ms);
    signal(pid, "SIGCONT");
    return done;
  };
  return [
    { name: "gateway: kill -9", weight: 2, strike: (random) => service.kill(random.below(500)) },
    { name: "gateway: frozen", weight: 2, strike: (random) => service.freeze(between(random, 300, 3_000)) },
    { name: "converter: kill -9", weight: 4, strike: (random) => strike(random, "converter", 0) },
    {
      name: "converter: frozen",
      weight: 2,
      strike: (random) => strike(random, "converter", between(random, 500, 4_000)),
    },
    { name: "engine: kill -9", weight: 3, strike: (random) => strike(random, "engine", 0) },
  ];
};

/**
 * What another process does to the database. If it finds the database busy or the disk full, the fault has not
 * occurred.
 */
const databaseFaults = (runSql: (sql: string, ms: number) => Promise<string>): Fault[] => {
  const change = (sql: string, ms: number): Promise<boolean> =>
    runSql(sql, ms).then(
      (changed) => sql === "" || Number(changed) > 0,
      () => false,
    );
  const changes = (sql: string) => () => change(sql, 0);
  return [
    {
      name: "SQLite: held busy up to 4 s",
      weight: 2,
      strike: (random) => change("", between(random, 500, 4_000)),
    },
    { name: "SQLite: held busy 6 s, longer than its busy timeout", weight: 1, strike: () => change("", 6_000) },
    {
      name: "messages: duplicated",
      weight: 3,
      strike: changes(`INSERT INTO messages (lane, account_id, job_id, turn, state, visible_at, receive_count)
        SELECT lane, account_id, job_id, turn, 'ready', 0, 0 FROM messages LIMIT 10`),
    },
    { name: "messages: reordered", weight: 2, strike: changes("UPDATE messages SET turn = abs(random() % 1000)") },
    { name: "messages: lost", weight: 1, strike: changes("DELETE FROM messages WHERE id % 3 = 0") },
    { name: "messages: taken too early", weight: 2, strike: changes("UPDATE messages SET visible_at = 0") },
  ];
};

const diskFaults = (disk: SmallDisk | undefined): Fault[] =>
  disk === undefined
    ? []
    : [
        {
          name: "disk full",
          weight: 2,
          strike: async (random) => {
            const release = disk.fill();
            await pause(between(random, 300, 4_000));
            release();
            return true;
          },
        },
        {
          name: "folder of files read-only",
          weight: 1,
          strike: async (random) => {
            await disk.close("files");
            await pause(between(random, 300, 3_000));
            await disk.open("files");
            return true;
          },
        },
      ];

export const clockJumps = ({ setClock }: Pick<Mortal, "setClock">, backwards = true): Fault => ({
  name: "clock jumps",
  weight: 1,
  strike: async (random) => {
    const ahead = between(random, 5, 45) * MINUTE_MS;
    setClock(backwards && random.chance(0.4) ? -ahead : ahead);
    await pause(between(random, 500, 3_000));
    setClock(0);
    return true;
  },
});
