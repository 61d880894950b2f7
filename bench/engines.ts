import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import sharp from "sharp";
import { converterPool } from "../functions/engines/core/run.ts";
import { makeCsv, makeHeic, makePdf } from "./documents.ts";
import { interleaved, printTable } from "./figures.ts";
import { makeInputs } from "./inputs.ts";
import { watched } from "./process-tree.ts";
import { programRows } from "./programs.ts";
import { type Bench, benchIn, HEADER, missing, row } from "./rows.ts";

/**
 * `node bench engines [--photo PATH --heic PATH]`: each engine in a warm converter process against the best bare tool,
 * interleaved in one run. Rows with missing tools are marked.
 */

const run = promisify(execFile);

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { photo: { type: "string" }, heic: { type: "string" } } });
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-"));
  const pool = converterPool({ size: 1, entry: join(import.meta.dirname, "../functions/engines/core/converter.ts") });
  try {
    const bench = benchIn(folder, pool);
    const { large: photo } = await makeInputs(folder, values.photo);
    const heic = values.heic ?? makeHeic(folder, photo);
    printTable([
      HEADER,
      ...(await heicToJpg(bench, heic)),
      await pdfToPng(bench, await makePdf(folder, photo)),
      await csvToParquet(bench, await makeCsv(folder)),
      await photosToPdf(bench, photo),
      await jpgToAvif(bench, photo),
      ...(await programRows(bench)),
    ]);
  } finally {
    await pool.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const heicToJpg = async ({ folder, convert }: Bench, heic: string | undefined): Promise<string[][]> => {
  if (heic === undefined) {
    return [missing("HEIC 12 MP → JPG", "heif-convert and heif-enc")];
  }
  const bare = () => run("heif-convert", [heic, join(folder, "bare.jpg")]);
  const native = () => interleaved({ ours: () => convert([heic], ["heic", "jpg"]), bare }, { runs: 7, warmUps: 1 });
  const wasm = () => convert([heic], ["heic", "jpg"], { without: ["heif"] });
  return [
    await row("HEIC 12 MP → JPG", native, { bound: "≤ 1.3 ×", of: "heif-convert" }),
    await row("… by WebAssembly alone", () => interleaved({ ours: wasm, bare }, { runs: 7, warmUps: 1 }), {
      bound: "≤ 2.5 ×",
      of: "heif-convert",
    }),
  ];
};

const pdfToPng = ({ folder, convert }: Bench, pdf: string): Promise<string[]> =>
  row(
    "PDF 14 pages → PNG, 150 dpi",
    () =>
      interleaved(
        {
          ours: () => convert([pdf], ["pdf", "png"], { options: { dpi: 150 } }),
          bare: () => run("pdftoppm", ["-png", "-r", "150", pdf, join(folder, "page")]),
        },
        { runs: 5, warmUps: 1 },
      ),
    { bound: "≤ 0.3 ×", of: "pdftoppm" },
  );

const csvToParquet = async ({ folder, convert }: Bench, csv: string): Promise<string[]> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2", memory_limit: "512MB" });
  const connection = await instance.connect();
  const output = join(folder, "bare.parquet");
  const bare = () =>
    connection.run(`COPY (SELECT * FROM read_csv('${csv}')) TO '${output}' (FORMAT parquet, COMPRESSION zstd)`);
  const ours = () => convert([csv], ["csv", "parquet"]);
  const result = await row("CSV 200 MB → Parquet", () => interleaved({ ours, bare }, { runs: 5, warmUps: 1 }), {
    bound: "≤ 1.2 ×",
    of: "DuckDB",
  });
  connection.closeSync();
  return result;
};

/** CPU of five conversions of five photos each, so that the kernel's ticks of 10 ms do not matter. */
const photosToPdf = async ({ convert }: Bench, photo: string): Promise<string[]> => {
  const photos = Array.from({ length: 5 }, () => photo);
  await convert(photos, ["jpg", "pdf"]);
  const { usage } = await watched(process.pid, async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await convert(photos, ["jpg", "pdf"]);
    }
  });
  const each = usage.cpuSeconds / 5;
  return ["5 photos → PDF", "", "", `${each.toFixed(2)} s`, "≤ 0.2 s of CPU", each.toFixed(2), ""];
};

/** At this quality, the service's settings produce the same file size as sharp's defaults, and similar fidelity. */
const AVIF_QUALITY = 62;

const jpgToAvif = async ({ folder, convert }: Bench, photo: string): Promise<string[]> => {
  let made = "";
  const plain = join(folder, "bare.avif");
  const ours = async () => {
    made = await convert([photo], ["jpg", "avif"], { options: { quality: AVIF_QUALITY } });
  };
  const bare = () => sharp(photo).avif().toFile(plain);
  const cells = await row("JPEG 12 MP → AVIF", () => interleaved({ ours, bare }, { runs: 2, warmUps: 0 }), {
    bound: "≤ 0.25 ×",
    of: "sharp's default",
  });
  const [mine, other] = [await likeness(photo, made), await likeness(photo, plain)];
  const sizes = [made, plain].map((path) => `${Math.round(statSync(path).size / 1_000)} kB`);
  return [
    ...cells.slice(0, -1),
    `sharp's default; PSNR ${mine.toFixed(2)} and ${other.toFixed(2)} dB, ${sizes.join(" and ")}`,
  ];
};

/** @returns the peak signal-to-noise ratio of the second image against the first, in dB */
const likeness = async (one: string, other: string): Promise<number> => {
  const [first, second] = await Promise.all([one, other].map((path) => sharp(path).removeAlpha().raw().toBuffer()));
  let squares = 0;
  for (const [index, value] of (first ?? Buffer.alloc(0)).entries()) {
    squares += (value - (second?.[index] ?? 0)) ** 2;
  }
  return 10 * Math.log10(255 ** 2 / (squares / (first?.length ?? 1)));
};

await main();
