import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fetch } from "undici";
import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { membersOf } from "../fuzz/change-zip.ts";
import { type ApiClient, apiClient, type Reply } from "../support/services/client.ts";
import {
  accountsCommand,
  type LocalService,
  type NewAccount,
  startLocalService,
} from "../support/services/local-service.ts";
import { type Canaries, corpusFiles, generated, type HostileFile } from "./families.ts";
import { listing, type Peak, watchGroups } from "./watch.ts";

/** Sends hostile files through a running one-machine service by its API, and reports the outcomes. */

export interface HostileReport {
  readonly outcomes: readonly Outcome[];
  /** For each lane that had work: the peak memory of one of its process groups. */
  readonly peaks: ReadonlyMap<LaneId, Peak>;
  /** Requests that arrived at the server that files refer to. */
  readonly requests: readonly string[];
  /** Files where nothing may be written. */
  readonly strays: readonly string[];
  /** Results that contain the text of a file that was not uploaded. */
  readonly leaks: readonly string[];
  /** Whether the service never crashed, and still answers. */
  readonly alive: boolean;
}

/** The outcome of a file, or of one of its conversions. */
export interface Outcome {
  readonly family: string;
  /** The file and its target format. */
  readonly name: string;
  readonly lane?: LaneId;
  /** `completed`, or the error code. */
  readonly ended: string;
  readonly seconds: number;
  /** Whether this outcome is allowed: an error that blames the file, or a limit where nothing else can end it. */
  readonly sound: boolean;
}

export interface HostileChoice {
  /** @returns the selected files */
  readonly choose: (files: readonly HostileFile[]) => readonly HostileFile[];
  /** Maximum targets per file. */
  readonly targetsMax: number;
  /** The folder of real corrupt or hostile files, if there is one. */
  readonly corpus?: string | undefined;
}

const CONCURRENCY = 4;
const SECRET = "what stands in a file that nobody gave";
/** Results are searched up to this size: the leaked text has forty letters. */
const SCANNED_BYTES_MAX = 50_000_000;
const QUOTA = "100000";

const routes = planRoutes(new Set(installedEngines().keys()));

/** @returns the outcomes; the service is stopped, and its folders are deleted */
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

/** The file that others refer to has an extension that they may take for an image, a list or a font. */
const canariesIn = (box: string, port: number): Canaries => {
  const secret = join(box, "secret.txt");
  writeFileSync(secret, SECRET);
  return {
    places: [`http://127.0.0.1:${port}/a.png`, `file://${secret}`, secret],
    written: join(box, "home", "written"),
  };
};

/** Names of files that our files try to write to shared folders. */
const NAMES = ["anyform-escaped", "anyform-attached", "written"];

const written = (here: readonly string[]): string[] =>
  [...readdirSync("/tmp"), ...readdirSync(process.cwd()).filter((name) => !here.includes(name))].filter((name) =>
    NAMES.includes(name),
  );

/** Milliseconds within which the files of killed programs are deleted. */
const TIDY_MS_MAX = 15_000;

/** @returns the files that remain after this time */
const lasting = async (list: () => string[]): Promise<string[]> => {
  for (let waited = 0; list().length > 0 && waited < TIDY_MS_MAX; waited += 500) {
    await pause(500);
  }
  return list();
};

interface Conversion {
  readonly file: HostileFile;
  /** Where its bytes are stored: some take seconds to generate. */
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
  await concurrently([...files.entries()], async ([index, file]) => {
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
    concurrently(some, async (conversion) => {
      underWay.add(conversion);
      const { outcome, leaked } = await convert(client, conversion).catch((error) => unanswered(conversion, error));
      underWay.delete(conversion);
      outcomes.push(outcome);
      leaks.push(...(leaked ? [outcome.name] : []));
    });
  // One lane at a time, so that each peak belongs to one lane.
  for (const lane of laneIds) {
    const own = conversions.filter((conversion) => conversion.lane === lane && conversion.file.endless !== true);
    memory.take();
    await run(own);
    if (own.length > 0) {
      peaks.set(lane, memory.take());
    }
  }
  memory.stop();
  // These use all available resources, and are ended by limits.
  await run(conversions.filter(({ file }) => file.endless === true));
  return { outcomes, peaks, leaks };
};

/** The intended targets first, then the other ones: the bytes may be detected as another format. */
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

/**
 * An idle connection may be closed while a request is sent. A service that is gone does not answer the retry either.
 */
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

/** Tries of a request that is rejected because the service is busy. */
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
  // One upload per conversion, because deleting a job deletes its upload.
  const upload = await admitted(() => sent(client, file, path));
  const accepted = await admitted(() => client.convert({ upload_id: upload.body.upload_id, target_format: to }));
  if (accepted.status !== 202) {
    return { outcome: outcomeOf(file, { name, lane, ended: accepted.body.code, seconds: 0 }), leaked: false };
  }
  const job = await endOf(client, accepted.body);
  const seconds = (Date.parse(job.finished_at ?? "") - Date.parse(job.started_at ?? "")) / 1_000;
  const ended = job.status === "completed" ? "completed" : (job.error?.code ?? job.status);
  const bytes =
    job.result !== null && job.result.size <= SCANNED_BYTES_MAX ? await bytesOf(client, job) : Buffer.alloc(0);
  await again(() => client.call(`/api/v1/convert/${job.id}`, { method: "DELETE" }));
  return { outcome: outcomeOf(file, { name, lane, ended, seconds }), leaked: holds(bytes) };
};

/** The service is gone, or its response violates its OpenAPI document. */
const unanswered = (conversion: Conversion, error: unknown): Ended => {
  const { file, lane } = conversion;
  return {
    outcome: outcomeOf(file, { name: nameOf(conversion), lane, ended: `no answer (${error})`, seconds: 0 }),
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

/** Also inside a ZIP, as in most documents. */
const holds = (bytes: Buffer): boolean =>
  bytes.includes(SECRET) || membersOf(bytes).some((member) => member.bytes.includes(SECRET));

const concurrently = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
};

/** Codes that blame the file. */
const refusals: ReadonlySet<string> = new Set([
  "completed",
  ...Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : [])),
  ...["unrecognized_format", "unsupported_conversion", "invalid_request", "malformed_multipart"],
]);
