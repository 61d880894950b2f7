import { open } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { fontWarnings, refusal } from "./answer.ts";
import { checkSource } from "./check.ts";
import { office } from "./office.ts";
import { type PlanHow, planOffice } from "./plan.ts";
import { readableText } from "./readable-text.ts";

/**
 * Converts a document with LibreOffice, which is kept warm: it takes about 50 ms, compared with 1,000 ms in a new
 * process.
 *
 * @param task its folder gets temporary files
 * @returns warnings for the client
 * @throws JobError for documents that are not supported or exceed a limit
 */
export const convertByOffice = async (task: EngineTask, how: PlanHow = {}): Promise<Warning[]> => {
  await checkSource(task);
  const { path, warnings } = await readableText(task);
  const answer = await office.use(({ convert }) => convert(planOffice({ ...task, input: path }, how)));
  if (answer.refused !== undefined) {
    throw refusal(task, answer);
  }
  await checkResult(task);
  return [...warnings, ...fontWarnings(answer)];
};

const CHECKED_BYTES = 1_024;

/**
 * The signatures at the start and near the end of a complete file. LibreOffice reports success even when the disk is
 * full.
 */
const ENDS = {
  pdf: ["%PDF-", "%%EOF"],
  zip: ["PK\u0003\u0004", "PK\u0005\u0006"],
  ole: ["\u00d0\u00cf\u0011\u00e0", ""],
  rtf: ["{\\rtf", "}"],
  svg: ["<", "</svg>"],
} as const;

const SHAPES = {
  pdf: ENDS.pdf,
  rtf: ENDS.rtf,
  svg: ENDS.svg,
  // Text has no end marker. All results are checked for being non-empty.
  txt: ["", ""],
  doc: ENDS.ole,
  xls: ENDS.ole,
  ppt: ENDS.ole,
} as const satisfies Partial<Record<EngineTask["to"], readonly [string, string]>>;

const checkResult = async ({ output, to }: EngineTask): Promise<void> => {
  const [start, end] = to in SHAPES ? SHAPES[to as keyof typeof SHAPES] : ENDS.zip;
  const file = await open(output).catch((cause: unknown) => {
    throw new JobError("engine_failed", "LibreOffice did not write a result.", { cause });
  });
  try {
    const { size } = await file.stat();
    const text = async (at: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHECKED_BYTES), 0, CHECKED_BYTES, Math.max(0, at));
      return buffer.toString("latin1", 0, bytesRead);
    };
    if (!((await text(0)).startsWith(start) && (await text(size - CHECKED_BYTES)).includes(end))) {
      throw new JobError("engine_failed", "LibreOffice wrote a truncated result.");
    }
  } finally {
    await file.close();
  }
};
