import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { converterPool } from "../../functions/engines/core/run.ts";
import { makeCsv, makeHeic, makePdf } from "../support/documents.ts";
import { interleaved, printTable } from "../support/figures.ts";
import { makeInputs } from "../support/inputs.ts";
import { lowestQuality, ssim } from "../support/likeness.ts";
import { watched } from "../support/process-tree.ts";
import { type Bench, benchIn, bounded, HEADER, missing, row } from "../support/rows.ts";
import { programRows } from "./programs.ts";

/**
 * `node bench engines [--photo PATH --heic PATH]`: each engine in a warm converter process against the best bare tool,
 * interleaved in one run. Rows with missing tools are marked. Exits with 1 if a ratio misses its bound.
 */

const run = promisify(execFile);

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { photo: { type: "string" }, heic: { type: "string" } } });
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-"));
  const pool = converterPool({
    size: 1,
    entry: join(import.meta.dirname, "../../functions/engines/core/converter.ts"),
  });
  try {
    const bench = benchIn(folder, pool);
    const { large: photo } = await makeInputs(folder, values.photo);
    const heic = values.heic ?? makeHeic(folder, photo);
    printTable([
      HEADER,
      ...(await heicToJpg(bench, heic)),
      ...(await pdfToPng(bench, await makePdf(folder, photo))),
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
    await row("HEIC 12 MP → JPG", native, { bound: 1.3, of: "heif-convert" }),
    await row("… by WebAssembly alone", () => interleaved({ ours: wasm, bare }, { runs: 7, warmUps: 1 }), {
      bound: 2.5,
      of: "heif-convert",
    }),
  ];
};

const DPI = 150;

/** Against the best command, and against the same engine without a service. */
const pdfToPng = async ({ folder, convert }: Bench, pdf: string): Promise<string[][]> => {
  const ours = () => convert([pdf], ["pdf", "png"], { options: { dpi: DPI } });
  const poppler = () => run("pdftoppm", ["-png", "-r", String(DPI), pdf, join(folder, "page")]);
  const pdfium = await PDFiumLibrary.init();
  const bare = () => bareRender(pdfium, pdf, folder);
  try {
    return [
      await row("PDF 14 pages → PNG, 150 dpi", () => interleaved({ ours, bare: poppler }, { runs: 5, warmUps: 1 }), {
        bound: 0.15,
        of: "pdftoppm",
      }),
      await row("… the same", () => interleaved({ ours, bare }, { runs: 5, warmUps: 1 }), {
        bound: 1.1,
        of: "PDFium and sharp, page by page",
      }),
    ];
  } finally {
    pdfium.destroy();
  }
};

const POINTS_PER_INCH = 72;

const bareRender = async (pdfium: PDFiumLibrary, pdf: string, folder: string): Promise<void> => {
  const document = await pdfium.loadDocument(await readFile(pdf));
  try {
    for (const page of document.pages()) {
      await page.render({
        scale: DPI / POINTS_PER_INCH,
        render: ({ data, width, height }) =>
          sharp(data, { raw: { width, height, channels: 4 } })
            .removeAlpha()
            .png()
            .toFile(join(folder, `bare-${page.number}.png`))
            .then(() => new Uint8Array()),
      });
    }
  } finally {
    document.destroy();
  }
};

const csvToParquet = async ({ folder, convert }: Bench, csv: string): Promise<string[]> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2", memory_limit: "512MB" });
  const connection = await instance.connect();
  const output = join(folder, "bare.parquet");
  const bare = () =>
    connection.run(`COPY (SELECT * FROM read_csv('${csv}')) TO '${output}' (FORMAT parquet, COMPRESSION zstd)`);
  const ours = () => convert([csv], ["csv", "parquet"]);
  const result = await row("CSV 200 MB → Parquet", () => interleaved({ ours, bare }, { runs: 5, warmUps: 1 }), {
    bound: 1.1,
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
  return ["5 photos → PDF", "", "", "", `${each.toFixed(2)} s`, bounded(each, 0.2, "s of CPU"), each.toFixed(2), ""];
};

/** Range of qualities in which the one with the similarity of sharp's default is searched. */
const AVIF_QUALITIES = [30, 95] as const;

/** At equal quality: ours is the lowest setting whose SSIM reaches that of sharp's default. */
const jpgToAvif = async ({ folder, convert }: Bench, photo: string): Promise<string[]> => {
  const plain = join(folder, "bare.avif");
  const bare = () => sharp(photo).avif().toFile(plain);
  const at = (quality: number) => convert([photo], ["jpg", "avif"], { options: { quality } });
  await bare();
  const similarity = await ssim(photo, plain);
  const quality = await lowestQuality(
    AVIF_QUALITIES,
    async (each) => (await ssim(photo, await at(each))) >= similarity,
  );
  let made = "";
  const ours = async () => {
    made = await at(quality);
  };
  const cells = await row("JPEG 12 MP → AVIF, equal SSIM", () => interleaved({ ours, bare }, { runs: 3, warmUps: 0 }), {
    bound: 0.25,
    of: "sharp's default",
  });
  const sizes = [made, plain].map((path) => `${Math.round(statSync(path).size / 1_000)} kB`);
  const reached = (await ssim(photo, made)).toFixed(4);
  const note = `quality ${quality}, SSIM ${reached} and ${similarity.toFixed(4)}, ${sizes.join(" and ")}`;
  return [...cells.slice(0, -1), `sharp's default; ${note}`];
};

await main();
