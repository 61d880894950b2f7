import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { interleaved } from "../support/figures.ts";
import { makeDocx, makeHtml } from "../support/office.ts";
import { watched } from "../support/process-tree.ts";
import { makeClip, makeTone, QUIET } from "../support/recordings.ts";
import { type Bench, bounded, missing, row } from "../support/rows.ts";

/** Engines that are system programs, against one process of the same program. */

const run = promisify(execFile);

/** @returns the rows of LibreOffice, Chromium and ffmpeg */
export const programRows = async (bench: Bench): Promise<string[][]> => {
  const docx = await makeDocx(bench.folder);
  const html = await makeHtml(bench.folder);
  return [
    await docxToPdf(bench, docx),
    await fourAtOnce(bench, docx),
    await htmlToPdf(bench, html),
    await wavToMp3(bench),
    await movToMp4(bench),
  ];
};

/** One LibreOffice process per document, with an existing profile. */
const office = (bench: Bench, document: string, profile = "profile") =>
  run("soffice", [
    `-env:UserInstallation=file://${bench.folder}/${profile}`,
    "--headless",
    "--convert-to",
    "pdf",
    "--outdir",
    join(bench.folder, profile),
    document,
  ]);

const docxToPdf = (bench: Bench, docx: string): Promise<string[]> =>
  row(
    "DOCX 9 pages → PDF, warm",
    () =>
      interleaved(
        { ours: () => bench.convert([docx], ["docx", "pdf"]), bare: () => office(bench, docx) },
        { runs: 7, warmUps: 1 },
      ),
    { bound: 0.3, of: "a soffice process" },
  );

const fourAtOnce = (bench: Bench, docx: string): Promise<string[]> => {
  const four = (one: (index: number) => Promise<unknown>) => Promise.all([0, 1, 2, 3].map(one));
  return row(
    "… four concurrently",
    () =>
      interleaved(
        {
          ours: () => four(() => bench.convert([docx], ["docx", "pdf"])),
          bare: () => four((index) => office(bench, docx, `profile${index}`)),
        },
        { runs: 3, warmUps: 1 },
      ),
    { bound: 0.3, of: "four soffice processes" },
  );
};

const PAGES_PRINTED = 10;

/** CPU of ten conversions, so that the kernel's ticks of 10 ms do not matter. */
const htmlToPdf = async ({ convert }: Bench, html: string): Promise<string[]> => {
  const name = "HTML → PDF, warm";
  try {
    await convert([html], ["html", "pdf"]);
  } catch {
    return missing(name, "chromium");
  }
  const { usage } = await watched(process.pid, async () => {
    for (let turn = 0; turn < PAGES_PRINTED; turn += 1) {
      await convert([html], ["html", "pdf"]);
    }
  });
  const each = usage.cpuSeconds / PAGES_PRINTED;
  const ms = 1_000 * each;
  return [name, "", "", "", `${ms.toFixed(0)} ms`, bounded(ms, 300, "ms of CPU"), each.toFixed(2), ""];
};

const wavToMp3 = async ({ folder, convert }: Bench): Promise<string[]> => {
  const wav = join(folder, "minute.wav");
  return row(
    "WAV 60 s → MP3",
    async () => {
      await makeTone(wav, 60);
      const bare = () => run("ffmpeg", [...QUIET, "-i", wav, "-b:a", "192k", join(folder, "bare.mp3")]);
      return interleaved({ ours: () => convert([wav], ["wav", "mp3"]), bare }, { runs: 5, warmUps: 1 });
    },
    { bound: 1.06, of: "the ffmpeg command" },
  );
};

const movToMp4 = async ({ folder, convert }: Bench): Promise<string[]> => {
  const mov = join(folder, "clip.mov");
  return row(
    "MOV 20 s → MP4 without encoding",
    async () => {
      await makeClip(mov, 20);
      const bare = () => run("ffmpeg", [...QUIET, "-i", mov, "-c", "copy", join(folder, "bare.mp4")]);
      return interleaved({ ours: () => convert([mov], ["mov", "mp4"]), bare }, { runs: 9, warmUps: 1 });
    },
    // A start of ffprobe, which finds out what can be copied, takes as long as the copy.
    { bound: 3, of: "ffmpeg -c copy" },
  );
};
