import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MEMORY_MEGABYTES } from "../../functions/api/operation.ts";
import { type OperationId, routeOf } from "../../functions/api/routes.ts";
import { type LaneId, lanes } from "../../functions/domain/conversions/lanes.ts";
import { cloudMetricCount } from "../../functions/domain/metrics.ts";
import { scratchMegabytesOf } from "../../infra/workers/lane.ts";
import { type Measured, measure, type Typical } from "../engines/conversions.ts";
import { makeCsv, makeHeic, makePdf } from "../support/documents.ts";
import { printTable } from "../support/figures.ts";
import { type Inputs, makeInputs } from "../support/inputs.ts";
import { makeDocx, makeHtml } from "../support/office.ts";
import { makeClip, makeTone } from "../support/recordings.ts";
import { type Calls, measureCalls, type StepId, steps } from "./cloud-calls.ts";
import { filmCosts } from "./films.ts";
import { idleCost, optionalCost, STANDING } from "./idle.ts";
import { PRICES, type Prices } from "./prices.ts";

/**
 * `node bench cost [--prices FILE --only FAMILY --json]`: the cost of 1,000 conversions of each family on AWS, from
 * measurements on this machine. Calls are counted by running the deployed handlers against emulators; engines are
 * measured in a warm converter. The four assumptions below cannot be measured without an account.
 */

/** Memory per vCPU of Lambda (Lambda Developer Guide, "Configure Lambda function memory"), and its relative speed. */
const MEGABYTES_PER_CPU = 1_769;
const LAMBDA_TO_HERE = 1;
/** A call to DynamoDB, S3 or SQS from a function in the same region. */
const CALL_SECONDS = 0.006;
/** Between a function and S3. */
const S3_BYTES_PER_SECOND = 80e6;
/** Share of invocations with a cold start, and its duration in seconds. */
const COLD_SHARE = 0.02;
const COLD_SECONDS: Readonly<Record<"image" | "zip", number>> = { zip: 0.9, image: 4 };

const LOG_BYTES_PER_CALL = 1_200;
const FILE_DAYS = 2;
const THOUSAND = 1_000;

/** Upload, job, status, redirect and result, each with a CloudFront function except for the result. */
const EDGE_REQUESTS = 5;

/** Megabytes that Lambda bills as a GB, and included megabytes of `/tmp`. */
const MEGABYTES_PER_GB = 1_024;
const SCRATCH_MEGABYTES_FREE = 512;

/** Costs of one conversion, in USD. */
interface Cost {
  readonly converter: number;
  readonly api: number;
  readonly waiting: number;
  readonly gateway: number;
  readonly cloudFront: number;
  readonly tables: number;
  readonly files: number;
  readonly queues: number;
  readonly logs: number;
  readonly egress: number;
}

const operationOf: Readonly<Partial<Record<StepId, OperationId>>> = {
  createUpload: "createUpload",
  createJob: "createJob",
  getJob: "getJob",
  downloadResult: "downloadResult",
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { prices: { type: "string" }, only: { type: "string", default: "" }, json: { type: "boolean" } },
  });
  const prices: Prices = { ...PRICES, ...(values.prices && JSON.parse(await readFile(values.prices, "utf8"))) };
  const folder = await mkdtemp(join(tmpdir(), "anyform-cost-"));
  try {
    const inputs = await makeInputs(folder, undefined);
    const typical = await typicalIn(folder, inputs);
    const measured = await measure(
      folder,
      typical.filter(({ family }) => family.startsWith(values.only)),
    );
    const calls = await measureCalls(inputs.small);
    const rows = measured.map((each) => ({ ...each, cost: costOf(each, calls, prices) }));
    if (values.json) {
      console.log(JSON.stringify({ calls, rows }));
      return;
    }
    show(calls, rows, prices);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const typicalIn = async (folder: string, { large, medium, small }: Inputs): Promise<Typical[]> => {
  const heic = makeHeic(folder, large);
  const clip = await makeClip(join(folder, "clip.mov"), 30);
  return [
    { family: "image", pair: ["png", "jpg"], input: small },
    { family: "image, 12 MP", pair: ["jpg", "webp"], input: large },
    { family: "image, 12 MP", pair: ["jpg", "avif"], input: large },
    ...(heic === undefined ? [] : [{ family: "image, 12 MP", pair: ["heic", "jpg"], input: heic } as const]),
    { family: "vector", pair: ["svg", "png"] },
    { family: "document, 14 pages", pair: ["pdf", "png"], input: await makePdf(folder, medium) },
    { family: "document, 9 pages", pair: ["docx", "pdf"], input: await makeDocx(folder) },
    { family: "document, web page", pair: ["html", "pdf"], input: await makeHtml(folder) },
    { family: "markup", pair: ["md", "html"] },
    { family: "spreadsheet", pair: ["xlsx", "csv"] },
    { family: "presentation", pair: ["pptx", "pdf"] },
    { family: "ebook", pair: ["epub", "mobi"] },
    { family: "data, 20 MB", pair: ["csv", "parquet"], input: await makeCsv(folder, 20e6) },
    { family: "data", pair: ["json", "yaml"] },
    { family: "archive", pair: ["zip", "7z"] },
    { family: "font", pair: ["ttf", "woff2"] },
    { family: "subtitle", pair: ["srt", "vtt"] },
    { family: "mail", pair: ["eml", "pdf"] },
    { family: "geo", pair: ["geojson", "kml"] },
    { family: "model", pair: ["stl", "glb"] },
    { family: "audio, 3 minutes", pair: ["wav", "mp3"], input: await makeTone(join(folder, "song.wav"), 180) },
    { family: "video, 30 s of 720p", pair: ["mov", "webm"], input: clip },
    { family: "video, 30 s of 720p", pair: ["mov", "mp4"], input: clip },
  ];
};

const costOf = (each: Measured, calls: Readonly<Record<StepId, Calls>>, prices: Prices): Cost => {
  const { lane } = each;
  const { memoryMegabytes, image } = lanes[lane];
  const all = steps.map((step) => calls[step]);
  const sum = (name: keyof Calls): number => all.reduce((total, call) => total + call[name], 0);
  const moved = (each.inputBytes + each.outputBytes) / S3_BYTES_PER_SECOND;
  const seconds =
    engineSeconds(each) + moved + ownSeconds(calls.convertFile, memoryMegabytes) + coldSeconds(image ? "image" : "zip");
  const gigabytes = (each.inputBytes + each.outputBytes) / 1e9;
  // A waiting client occupies a createJob function during the conversion.
  const waiting = Math.min(25, seconds) * (MEMORY_MEGABYTES / MEGABYTES_PER_GB) * prices.lambdaGbSecond;
  const requests = (bytes: number) => Math.max(1, Math.ceil(bytes / 512_000));
  return {
    converter: seconds * secondCost(lane, prices) + prices.lambdaRequest,
    api: steps
      .filter((step) => step !== "convertFile")
      .reduce((total, step) => total + callCost(step, calls, prices), 0),
    waiting,
    gateway: (requests(each.inputBytes > 4.5e6 ? 0 : each.inputBytes) + 3) * prices.apiRequest,
    cloudFront: EDGE_REQUESTS * prices.cloudFrontRequest + (EDGE_REQUESTS - 1) * prices.cloudFrontFunction,
    tables: sum("readUnits") * prices.dynamoReadUnit + sum("writeUnits") * prices.dynamoWriteUnit,
    files:
      sum("s3Puts") * prices.s3Put +
      (sum("s3Gets") + 1) * prices.s3Get +
      gigabytes * prices.s3GbMonth * (FILE_DAYS / 30),
    // Sent, received and deleted.
    queues: sum("messages") * 3 * prices.sqsRequest,
    logs: ((steps.length * LOG_BYTES_PER_CALL) / 1e9) * prices.logGb,
    egress: (each.outputBytes / 1e9) * prices.egressGb,
  };
};

/** The engine's duration on Lambda, which has a different number of processors. */
const engineSeconds = ({ lane, seconds, cpuSeconds }: Measured): number => {
  const cpus = lanes[lane].memoryMegabytes / MEGABYTES_PER_CPU;
  return Math.max(cpuSeconds / cpus, Math.min(seconds, cpuSeconds)) / LAMBDA_TO_HERE;
};

/** Duration of the service's code and its calls in a function with this much memory. */
const ownSeconds = ({ cpuMs, count }: Calls, megabytes: number): number =>
  cpuMs / 1_000 / Math.min(1, megabytes / MEGABYTES_PER_CPU) / LAMBDA_TO_HERE + count * CALL_SECONDS;

const coldSeconds = (kind: "image" | "zip"): number => COLD_SHARE * COLD_SECONDS[kind];

const callCost = (step: StepId, calls: Readonly<Record<StepId, Calls>>, prices: Prices): number => {
  const operation = operationOf[step];
  const megabytes = operation === undefined ? 256 : (routeOf(operation).memoryMegabytes ?? MEMORY_MEGABYTES);
  const seconds = ownSeconds(calls[step], megabytes) + coldSeconds("zip");
  return seconds * (megabytes / MEGABYTES_PER_GB) * prices.lambdaGbSecond + prices.lambdaRequest;
};

/** USD per second of a converter of the lane, for its memory and disk. */
const secondCost = (lane: LaneId, prices: Prices): number =>
  (lanes[lane].memoryMegabytes / MEGABYTES_PER_GB) * prices.lambdaGbSecond +
  ((scratchMegabytesOf(lane) - SCRATCH_MEGABYTES_FREE) / MEGABYTES_PER_GB) * prices.lambdaDiskGbSecond;

const show = (
  calls: Readonly<Record<StepId, Calls>>,
  rows: readonly (Measured & { readonly cost: Cost })[],
  prices: Prices,
): void => {
  const round = (value: number, digits: number) => value.toFixed(digits);
  printTable([
    ["step", "CPU ms", "calls", "read units", "write units", "of quotas", "S3 puts", "gets", "messages"],
    ...steps.map((step) => {
      const { cpuMs, count, readUnits, writeUnits, countUnits, s3Puts, s3Gets, messages } = calls[step];
      return [
        step,
        round(cpuMs, 1),
        ...[count, readUnits, writeUnits, countUnits, s3Puts, s3Gets, messages].map((n) => round(n, 1)),
      ];
    }),
  ]);
  const parts = ["converter", "api", "waiting", "gateway", "cloudFront", "tables", "files", "queues", "logs"] as const;
  console.log("\nUSD per 1,000 conversions, each uploaded, waited for, polled once and downloaded:\n");
  printTable([
    ["family", "pair", "lane", "CPU s", "peak MB", ...parts, "all", "egress"],
    ...rows.map((row) => {
      const total = parts.reduce((sum, part) => sum + row.cost[part], 0);
      return [
        row.family,
        row.pair.join(" → "),
        row.lane,
        round(row.cpuSeconds, 2),
        round(row.memoryBytes / 1e6, 0),
        ...parts.map((part) => round(row.cost[part] * THOUSAND, 4)),
        round(total * THOUSAND, 3),
        round(row.cost.egress * THOUSAND, 3),
      ];
    }),
  ]);
  console.log("\nFixed costs in USD per month:\n");
  const idle = idleCost(STANDING, prices);
  const custom = cloudMetricCount();
  printTable([
    ["what", "USD"],
    ...idle.map(([name, usd]) => [name, round(usd, 2)]),
    [
      "total",
      round(
        idle.reduce((total, [, usd]) => total + usd, 0),
        2,
      ),
    ],
    ...optionalCost(prices).map(([name, usd]) => [`optional: ${name}`, round(usd, 2)]),
    [`${custom} custom metrics, once jobs have had every outcome`, round(custom * prices.metricMonth, 2)],
  ]);
  const films = filmCosts(prices);
  console.log("\nFilms in containers instead of functions (the setting filmMegabytes):\n");
  printTable([
    ["what", "value"],
    ["USD for an hour of a function", round(films.lambdaSecond * 3_600, 3)],
    ["USD for an hour of a container", round(films.containerSecond * 3_600, 3)],
    ["seconds of a function from which a conversion costs less", round(films.secondsMin, 0)],
    ["hours of functions per month that pay for the network", round(films.hoursMin, 0)],
  ]);
};

await main();
