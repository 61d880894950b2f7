import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { concurrently } from "./concurrently.ts";
import { measureShare, shareReport } from "./corpus/share.ts";
import { type Case, regressions, saveFloors } from "./floors.ts";
import { wrongLabels } from "./labels.ts";
import { CACHE, measure, type Row } from "./measure.ts";
import { pairGroups } from "./pairs/all.ts";
import { OFFICE, printByOffice } from "./read/pages.ts";
import { printLabels, printPairs, printWorst } from "./report.ts";
import { ROOT, type Service, startService } from "./service.ts";
import { gatherSources } from "./sources/sources.ts";
import { removeProfiles } from "./tools.ts";

/**
 * `node bench faithful [OPTIONS]`: what the results of the most used pairs lack. Each file is converted as the service
 * does, source and result are read by other programs, and their words, values, pages and sounds are compared; the same
 * for the reference tool of the field. Exits with 1 if a file is worse than in `floors.json` or could not be compared, or
 * if a result of a pair declared lossless lacks something without a warning.
 *
 *     --corpus DIR       also public files with a `MANIFEST.tsv`; default: ANYFORM_CORPUS
 *     --corpus-share     only the share of the corpus that is converted to the main target of its family, with all misses
 *     --groups LIST      only these pairs; default: documents,pictures,media,data
 *     --only TEXT,TEXT   only pairs (`docx→pdf`, `docx-pdf`) or files whose name contains one of these
 *     --alone            no reference tools
 *     --concurrency N    conversions at a time; default: 2
 *     --out FILE         writes all results as JSON
 *     --sheets DIR       keeps a picture of each source and its result, side by side
 *     --save-floors      stores the results as the new floors
 */

const options = {
  corpus: { type: "string", default: process.env.ANYFORM_CORPUS ?? join(ROOT, "../shared/corpus") },
  groups: { type: "string", default: Object.keys(pairGroups).join() },
  "corpus-share": { type: "boolean", default: false },
  only: { type: "string", default: "" },
  alone: { type: "boolean", default: false },
  concurrency: { type: "string", default: "2" },
  out: { type: "string" },
  sheets: { type: "string" },
  "save-floors": { type: "boolean", default: false },
} as const;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options });
  const scratch = await mkdtemp(join(tmpdir(), "anyform-faithful-"));
  const concurrency = Number(values.concurrency);
  const service = await startService(join(scratch, "service"), concurrency);
  try {
    const settings = { corpus: values.corpus, scratch, concurrency, only: values.only };
    const rows = values["corpus-share"]
      ? await share(service, settings)
      : await faithful(service, { ...settings, ...chosen(values) });
    if (values.out !== undefined) {
      await writeFile(values.out, JSON.stringify(rows, undefined, 1));
    }
  } finally {
    await service.stop();
    await removeProfiles();
    await rm(scratch, { recursive: true, force: true });
  }
};

interface Chosen {
  readonly groups: string;
  readonly alone: boolean;
  readonly "save-floors": boolean;
  readonly sheets?: string;
}

const chosen = (values: Chosen) => ({
  pairs: values.groups.split(",").flatMap((group) => pairGroups[group] ?? []),
  alone: values.alone,
  save: values["save-floors"],
  ...(values.sheets !== undefined && { sheets: values.sheets }),
});

interface Settings {
  readonly corpus: string;
  readonly scratch: string;
  readonly concurrency: number;
  readonly only: string;
}

const share = async (service: Service, settings: Settings): Promise<unknown> => {
  const rows = await measureShare(service, settings);
  console.log(shareReport(rows));
  return rows;
};

const faithful = async (
  service: Service,
  { corpus, scratch, concurrency, only, pairs, alone, save, sheets }: Settings & ReturnType<typeof chosen>,
): Promise<readonly Row[]> => {
  await mkdir(CACHE, { recursive: true });
  const formats = [...new Set(pairs.map(({ from }) => from))];
  const sources = await gatherSources(formats, { corpus, folder: join(scratch, "sources") });
  const wanted = only.split(",");
  const cases = pairs
    .flatMap((pair) => sources.filter(({ format }) => format === pair.from).map((source) => ({ pair, source })))
    .filter(({ pair: { from, to }, source: { name } }) =>
      wanted.some((part) => `${from}→${to} ${from}-${to} ${name}`.includes(part)),
    );
  const documents = new Set(cases.filter(({ pair }) => pair.kind === "document").map(({ source }) => source));
  const office = [...documents].filter(({ format }) => OFFICE.includes(format)).map(({ path }) => path);
  await printByOffice(office, join(scratch, "printed"));
  const bench = { service, scratch, cache: CACHE, sources: new Map(), ...(sheets !== undefined && { sheets }) };
  const measured = await concurrently(cases, concurrency, async ({ pair, source }, index) => {
    process.stderr.write(`${index + 1}/${cases.length} ${pair.from}→${pair.to} ${source.name}\n`);
    const { reference, ...own } = pair;
    return measure(alone ? own : pair, source, bench).catch((error: unknown) => {
      process.stderr.write(`not compared: ${String(error).replaceAll(/\s+/gu, " ").slice(0, 300)}\n`);
    });
  });
  const rows = measured.filter((row) => row !== undefined);
  printPairs(rows);
  printWorst(rows);
  printLabels(rows);
  await judge(
    rows,
    cases.map(({ pair: { from, to }, source: { name } }) => ({ pair: `${from}→${to}`, file: name })),
    save,
  );
  return rows;
};

const judge = async (rows: readonly Row[], cases: readonly Case[], save: boolean): Promise<void> => {
  if (save) {
    await saveFloors(rows);
    return;
  }
  const worse = await regressions(rows, cases);
  if (worse.length > 0) {
    console.error(`\nWorse than the floors:\n${worse.join("\n")}`);
  }
  if (worse.length > 0 || wrongLabels(rows).length > 0) {
    process.exitCode = 1;
  }
};

await main();
