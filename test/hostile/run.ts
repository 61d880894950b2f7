import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fetch } from "undici";
import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { membersOf } from "../fuzz/change-zip.ts";
import { type ApiClient, apiClient, type Reply } from "../support/client.ts";
import { accountsCommand, type LocalService, type NewAccount, startLocalService } from "../support/local-service.ts";
import { type Canaries, corpusFiles, generated, type HostileFile } from "./families.ts";
import { listing, type Peak, watchGroups } from "./watch.ts";

/** Hostile files through a running service of one machine, by its API, and what came of them. */

export interface HostileReport {
  readonly outcomes: readonly Outcome[];
  /** Of each lane that had work: the most that one of its process groups held. */
  readonly peaks: ReadonlyMap<LaneId, Peak>;
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
  for (const folder of ["home", "tmp", "data", "files"]) {
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
    const files = choice.choose(all);
    const tried = await tryAll(service, { files, folder: join(box, "files"), targetsMax: choice.targetsMax });
    const { exitCode, signalCode } = service.process;
    const alive = exitCode === null && signalCode === null && (await fetch(`${service.url}/health`)).status === 200;
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
  /** Where its bytes are kept: some take seconds to be made. */
  readonly path: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly lane: LaneId;
}

interface Tried {
  readonly files: readonly HostileFile[];
  /** For the bytes of the files. */
  readonly folder: string;
  readonly targetsMax: number;
}

const tryAll = async (service: LocalService, { files, folder, targetsMax }: Tried) => {
  const args = ["create", "--email", "hostile@example.com", "--plan", "enterprise", "--quota", QUOTA];
  const account = await accountsCommand<NewAccount>(args, { DATA_DIR: service.dataDir });
  const client = await apiClient(service.url, account.api_key);
  const outcomes: Outcome[] = [];
  const conversions: Conversion[] = [];
  await atOnce([...files.entries()], async ([index, file]) => {
    const path = join(folder, String(index));
    writeFileSync(path, await file.bytes());
    const { status, body } = await admitted(() => sent(client, file, path));
    if (status !== 201) {
      outcomes.push(outcomeOf(file, { name: file.name, ended: body.code ?? `status ${status}`, seconds: 0 }));
      return;
    }
    const from = body.format as FormatId;
    for (const to of targetsOf(file, body.targets as readonly FormatId[]).slice(0, targetsMax)) {
      conversions.push({ file, path, from, to, lane: routes.find(from, to)?.lane ?? "fast" });
    }
  });
  const [leaks, peaks] = [[] as string[], new Map<LaneId, Peak>()];
  const underWay = new Set<Conversion>();
  const memory = watchGroups(service.process.pid ?? 0, () => [...underWay].map(nameOf));
  const run = (some: readonly Conversion[]): Promise<void> =>
    atOnce(some, async (conversion) => {
      underWay.add(conversion);
      const { outcome, leaked } = await convert(client, conversion).catch(() => unanswered(conversion));
      underWay.delete(conversion);
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

const nameOf = ({ file, from, to }: Conversion): string => `${file.name} (${from} → ${to})`;

const sent = (client: ApiClient, file: HostileFile, path: string) =>
  client.upload({ name: file.filename, bytes: readFileSync(path) });

/** A connection that was not used for long may be closed while a request is on its way. A service that is gone does not answer then either. */
const again = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TypeError && error.message === "fetch failed")) {
      throw error;
    }
    return ask();
  }
};

/** Times that a request is sent again which there was no room for. */
const TURNS_MAX = 20;

const admitted = async <Body>(ask: () => Promise<Reply<Body>>): Promise<Reply<Body>> => {
  for (let turn = 1; ; turn += 1) {
    const reply = await again(ask);
    if (reply.status !== 503 || turn === TURNS_MAX) {
      return reply;
    }
    await pause(1_000 * Number(reply.headers.get("retry-after") ?? 1));
  }
};

interface Ended {
  readonly outcome: Outcome;
  readonly leaked: boolean;
}

const convert = async (client: ApiClient, conversion: Conversion): Promise<Ended> => {
  const { file, path, to, lane } = conversion;
  const name = nameOf(conversion);
  // One for each conversion, because an upload goes with the job that is deleted.
  const upload = await admitted(() => sent(client, file, path));
  const accepted = await admitted(() => client.convert({ upload_id: upload.body.upload_id, target_format: to }));
  if (accepted.status !== 202) {
    return { outcome: outcomeOf(file, { name, lane, ended: accepted.body.code, seconds: 0 }), leaked: false };
  }
  const job = await endOf(client, accepted.body);
  const seconds = (Date.parse(job.finished_at ?? "") - Date.parse(job.started_at ?? "")) / 1_000;
  const ended = job.status === "completed" ? "completed" : (job.error?.code ?? job.status);
  const bytes =
    job.result !== null && job.result.size <= LOOKED_BYTES_MAX ? await bytesOf(client, job) : Buffer.alloc(0);
  await again(() => client.call(`/api/v1/convert/${job.id}`, { method: "DELETE" }));
  return { outcome: outcomeOf(file, { name, lane, ended, seconds }), leaked: holds(bytes) };
};

/** The service is gone, or says what its own document does not know. */
const unanswered = (conversion: Conversion): Ended => {
  const { file, lane } = conversion;
  return {
    outcome: outcomeOf(file, { name: nameOf(conversion), lane, ended: "no answer", seconds: 0 }),
    leaked: false,
  };
};

const outcomeOf = ({ family, endless }: HostileFile, rest: Omit<Outcome, "family" | "sound">): Outcome => {
  const limited = endless === true && (rest.ended === "timed_out" || rest.ended === "out_of_memory");
  return { family, sound: limited || refusals.has(rest.ended), ...rest };
};

const endOf = async (client: ApiClient, job: JobView): Promise<JobView> => {
  let current = job;
  while (current.status === "queued" || current.status === "processing") {
    ({ body: current } = await again(() => client.call<JobView>(`/api/v1/convert/${job.id}/status?wait=25`)));
  }
  return current;
};

const bytesOf = async (client: ApiClient, { result }: JobView): Promise<Buffer> =>
  (await again(() => client.download(result?.download_token ?? ""))).bytes;

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
