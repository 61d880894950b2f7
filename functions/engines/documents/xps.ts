import { open } from "node:fs/promises";
import { join } from "node:path";
import { DOCUMENT_PAGES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { readZip } from "../archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../archives/zip/writer.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";

const PROGRAM = "xpstopdf";
/** It writes 100 pages in a second. A job ends sooner. */
const RUN_MS_MAX = 300_000;

/** XPS and OpenXPS, by GNOME's libgxps: text stays text, and lines stay lines. */
export const xpsEngine: Engine = {
  name: "xps",
  // The program reports no version.
  version: async () => {
    await runProgram({ program: PROGRAM, arguments: ["--help"], folder: "/", timeoutMs: 10_000 });
    return "system";
  },
  convert: async (task) => {
    const source = join(task.folder, "source.xps");
    await writeZip(source, await partsOf(task));
    task.progress(0.2);
    const { code, stderr } = await runProgram({
      program: PROGRAM,
      arguments: [source, task.output],
      folder: task.folder,
      timeoutMs: RUN_MS_MAX,
    });
    if (code !== 0 || !(await isComplete(task.output))) {
      throw new JobError("source_corrupt", "The XPS file is damaged and cannot be read.", { cause: stderr });
    }
    return { warnings: [] };
  },
};

/**
 * Packed again, the sizes of all members precede them: libgxps refuses packages that were written as a stream. Reading
 * checks their sizes.
 */
const partsOf = ({ input, from }: EngineTask): Promise<ZipMember[]> =>
  readZip(
    input,
    async (zip) => {
      const pages = zip.paths.filter((path) => /\.fpage$/i.test(path)).length;
      if (pages > DOCUMENT_PAGES_MAX) {
        throw new JobError("too_many_pages", `The document has ${pages} pages; the limit is ${DOCUMENT_PAGES_MAX}.`);
      }
      const members: ZipMember[] = [];
      for (const path of zip.paths) {
        members.push({ path, bytes: (await zip.read(path)) ?? Buffer.alloc(0) });
      }
      return members;
    },
    from,
  );

const END_BYTES = 1_024;

const isComplete = async (path: string): Promise<boolean> => {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) {
    return false;
  }
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, Math.max(0, size - END_BYTES));
    return buffer.toString("latin1", 0, bytesRead).includes("%%EOF");
  } finally {
    await file.close();
  }
};
