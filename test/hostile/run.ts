import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fetch } from "undici";
import { jobErrors } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import { type LaneId, laneIds, lanes } from "../../functions/domain/lanes.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import type { JobView } from "../../functions/domain/views.ts";
import { installedEngines } from "../../local/engines.ts";
import { membersOf } from "../fuzz/change-zip.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { accountsCommand, type LocalService, type NewAccount, startLocalService } from "../support/local-service.ts";
import { type Canaries, corpusFiles, generated, type HostileFile } from "./families.ts";
import { listing, watchGroups } from "./watch.ts";

/** Hostile files through a running service of one machine, by its API, and what came of them. */

export interface HostileReport {
  readonly outcomes: readonly Outcome[];
  /** Of each lane that had work: the most that one of its process groups held, bytes. */
  readonly peaks: ReadonlyMap<LaneId, number>;
  /** What arrived at the server that files name. */
  readonly requests: readonly string[];
  /** What stands where nothing may be written. */
  readonly strays: readonly string[];
  /** Results that hold what stands in a file that nobody gave. */
  readonly leaks: readonly string[];
  /** Whether it is the same process that was started, and answers. */
  readonly alive: boolean;
}

/** What became of a file, or of one of its conversions. */
export interface Outcome {
  readonly family: string;
  /** The file, and what it was to become. */
  readonly name: string;
  readonly lane?: LaneId;
  /** `completed`, or the code of the table. */
  readonly ended: string;
  readonly seconds: number;
  /** Whether it may end so: for what the file is; or by a limit, where nothing else can end it. */
  readonly sound: boolean;
}

export interface HostileChoice {
  /** @returns the files that are tried, of all that there are */
  readonly choose: (files: readonly HostileFile[]) => readonly HostileFile[];
  /** Targets of each file. */
  readonly targetsMax: number;
  /** The folder of real files that are broken or harmful, where there is one. */
  readonly corpus?: string | undefined;
}

const AT_ONCE = 4;
const SECRET = "what stands in a file that nobody gave";
/** Results are looked into up to this size: what leaks is a text of forty letters. */
const LOOKED_BYTES_MAX = 50_000_000;
const QUOTA = "100000";

const routes = planRoutes(new Set(installedEngines().keys()));

/** @returns what became of the files; the service is stopped, and its folders are gone */
export const runHostile = async (choice: HostileChoice): Promise<HostileReport> => {
  const box = mkdtempSync(join(tmpdir(), "anyform-hostile-"));
  for (const folder of ["home", "tmp", "data"]) {
    mkdirSync(join(box, folder));
  }
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end(SECRET);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const canaries = canariesIn(box, (server.address() as AddressInfo).port);
  const here = readdirSync(process.cwd());
  const env = { HOME: join(box, "home"), TMPDIR: join(box, "tmp") };
  const service = await startLocalService({ dataDir: join(box, "data"), env });
  try {
    const all = [...generated(canaries), ...(choice.corpus ? corpusFiles(choice.corpus) : [])];
    const tried = await tryAll(service, choice.choose(all), choice.targetsMax);
    const alive = service.process.exitCode === null && (await fetch(`${service.url}/health`)).status === 200;
    await service.stop();
    const strays = await lasting(() => [...listing(env.HOME), ...listing(env.TMPDIR), ...written(here)]);
    return { ...tried, requests, strays, alive };
  } finally {
    await service.kill();
    server.close();
    rmSync(box, { recursive: true, force: true });
  }
};

/** The text that files refer to has an ending that they may take for a picture, a list or a font. */
const canariesIn = (box: string, port: number): Canaries => {
  const secret = join(box, "secret.txt");
  writeFileSync(secret, SECRET);
  return {
    places: [`http://127.0.0.1:${port}/a.png`, `file://${secret}`, secret],
    written: join(box, "home", "written"),
  };
};

/** What files of ours try to write in folders that others write to as well. */
const NAMES = ["anyform-escaped", "anyform-attached", "written"];

const written = (here: readonly string[]): string[] =>
  [...readdirSync("/tmp"), ...readdirSync(process.cwd()).filter((name) => !here.includes(name))].filter((name) =>
    NAMES.includes(name),
  );

/** Milliseconds in which programs that were killed are tidied up after. */
const TIDY_MS_MAX = 15_000;

/** @returns what still stands there when all have had their time to go */
const lasting = async (look: () => string[]): Promise<string[]> => {
  for (let waited = 0; look().length > 0 && waited < TIDY_MS_MAX; waited += 500) {
    await pause(500);
  }
  return look();
};

interface Conversion {
  readonly file: HostileFile;
  readonly upload: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly lane: LaneId;
}

const tryAll = async (service: LocalService, files: readonly HostileFile[], targetsMax: number) => {
  const args = ["create", "--email", "hostile@example.com", "--plan", "enterprise", "--quota", QUOTA];
  const account = await accountsCommand<NewAccount>(args, { DATA_DIR: service.dataDir });
  const client = await apiClient(service.url, account.api_key);
  const outcomes: Outcome[] = [];
  const conversions: Conversion[] = [];
  await atOnce(files, async (file) => {
    const { status, body } = await client.upload({ name: file.filename, bytes: await file.bytes() });
    if (status !== 201) {
      outcomes.push(outcomeOf(file, { name: file.name, ended: body.code ?? `status ${status}`, seconds: 0 }));
      return;
    }
    const from = body.format as FormatId;
    for (const to of targetsOf(file, body.targets as readonly FormatId[]).slice(0, targetsMax)) {
      conversions.push({ file, upload: body.upload_id, from, to, lane: routes.find(from, to)?.lane ?? "fast" });
    }
  });
  const [leaks, peaks] = [[] as string[], new Map<LaneId, number>()];
  const memory = watchGroups(service.process.pid ?? 0);
  const run = (some: readonly Conversion[]): Promise<void> =>
    atOnce(some, async (conversion) => {
      const { outcome, leaked } = await convert(client, conversion);
      outcomes.push(outcome);
      leaks.push(...(leaked ? [outcome.name] : []));
    });
  // One lane after the other, so that each peak is a lane's own.
  for (const lane of laneIds) {
    const own = conversions.filter((conversion) => conversion.lane === lane && conversion.file.endless !== true);
    memory.take();
    await run(own);
    if (own.length > 0) {
      peaks.set(lane, memory.take());
    }
  }
  memory.stop();
  // These take all that there is, and are ended a moment after.
  await run(conversions.filter(({ file }) => file.endless === true));
  return { outcomes, peaks, leaks };
};

/** What the file is meant for first, then what it can become otherwise: the bytes may be taken for another format. */
const targetsOf = ({ to = [] }: HostileFile, offered: readonly FormatId[]): FormatId[] => {
  const usual: readonly FormatId[] = ["png", "pdf", "txt", "json", "csv", "html", "mp3", "mp4", "zip", "tar"];
  const meant = to.filter((target) => offered.includes(target));
  return [
    ...new Set([...meant, ...usual.filter((target) => meant.length === 0 && offered.includes(target)), ...offered]),
  ];
};

const convert = async (
  client: ApiClient,
  { file, upload, from, to, lane }: Conversion,
): Promise<{ outcome: Outcome; leaked: boolean }> => {
  const accepted = await client.convert({ upload_id: upload, target_format: to });
  const name = `${file.name} (${from} → ${to})`;
  if (accepted.status !== 202) {
    return { outcome: outcomeOf(file, { name, lane, ended: accepted.body.code, seconds: 0 }), leaked: false };
  }
  const job = await endOf(client, accepted.body);
  const seconds = (Date.parse(job.finished_at ?? "") - Date.parse(job.started_at ?? "")) / 1_000;
  const ended = job.status === "completed" ? "completed" : (job.error?.code ?? job.status);
  const bytes =
    job.result !== null && job.result.size <= LOOKED_BYTES_MAX ? await bytesOf(client, job) : Buffer.alloc(0);
  await client.call(`/api/v1/convert/${job.id}`, { method: "DELETE" });
  return { outcome: outcomeOf(file, { name, lane, ended, seconds }), leaked: holds(bytes) };
};

const outcomeOf = ({ family, endless }: HostileFile, rest: Omit<Outcome, "family" | "sound">): Outcome => {
  const limited = endless === true && (rest.ended === "timed_out" || rest.ended === "out_of_memory");
  return { family, sound: limited || refusals.has(rest.ended), ...rest };
};

const endOf = async (client: ApiClient, job: JobView): Promise<JobView> => {
  let current = job;
  while (current.status === "queued" || current.status === "processing") {
    ({ body: current } = await client.call<JobView>(`/api/v1/convert/${job.id}/status?wait=25`));
  }
  return current;
};

const bytesOf = async (client: ApiClient, { result }: JobView): Promise<Buffer> =>
  (await client.download(result?.download_token ?? "")).bytes;

/** Also within a zip, as most documents are. */
const holds = (bytes: Buffer): boolean =>
  bytes.includes(SECRET) || membersOf(bytes).some((member) => member.bytes.includes(SECRET));

const atOnce = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** Codes that say what is wrong with the file. */
const refusals: ReadonlySet<string> = new Set([
  "completed",
  ...Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : [])),
  ...["unrecognised_format", "unsupported_conversion", "invalid_request", "malformed_multipart"],
]);

/** @returns the report as a table: of each family the files, how they ended, and the slowest */
export const tableOf = ({ outcomes, peaks, requests, strays, leaks }: HostileReport): string => {
  const rows = [...Map.groupBy(outcomes, ({ family }) => family)].map(([family, all]) => {
    const ends = [...Map.groupBy(all, ({ ended }) => ended)].map(([ended, some]) => `${ended} ${some.length}`);
    const slowest = Math.max(...all.map(({ seconds }) => seconds || 0));
    return `${family.padEnd(36)} ${String(all.length).padStart(5)} ${slowest.toFixed(1).padStart(7)} s  ${ends.toSorted().join(", ")}`;
  });
  const memory = [...peaks].map(([lane, bytes]) => {
    const most = lanes[lane].conversionBytesMax;
    return `lane ${lane}: at most ${Math.round(bytes / 1e6)} MB of ${Math.round(most / 1e6)} MB in a process group`;
  });
  const rest = `requests out: ${requests.length}, bytes outside: ${strays.length} files, leaks: ${leaks.length}`;
  return [`${"family".padEnd(36)}  runs  slowest  how they ended`, ...rows, "", ...memory, rest].join("\n");
};
