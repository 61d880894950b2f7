import { AnyformError } from "../errors.ts";
import type { Progress, SavableFile } from "../node.ts";
import { lineOf } from "./exit.ts";

/** Reports conversions while they run: lines of text or JSON, and a progress line on a terminal. */
export interface Report {
  progress(label: string, progress: Progress): void;
  done(label: string, output: string | undefined, file: SavableFile): void;
  failed(label: string, error: unknown): void;
  /** Clears the progress line, and prints how to resume interrupted uploads. */
  end(): void;
}

export interface ReportSettings {
  readonly total: number;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether the result is written to standard output, which then contains nothing else. */
  readonly toStdout: boolean;
}

const verbs = { upload: "uploading", convert: "converting", download: "downloading" } as const;
/** Milliseconds between two updates of the progress line. */
const REDRAW_MS = 100;
/** Width of a terminal that does not report its width. */
const COLUMNS_DEFAULT = 80;
const CLEAR = "\r\u001b[2K";

export const reportTo = ({ total, json, quiet, toStdout }: ReportSettings): Report => {
  const line = progressLine(process.stderr.isTTY === true && !json && !quiet, total);
  const say = (text: string): void => {
    line.clear();
    (toStdout ? process.stderr : process.stdout).write(`${printable(text)}\n`);
  };
  const warn = (text: string): void => {
    line.clear();
    process.stderr.write(`${printable(text)}\n`);
  };
  return {
    progress: line.progress,
    end: () => {
      for (const [label, { uploadId }] of line.running) {
        if (uploadId !== undefined) {
          warn(`${label}: resume with --resume ${uploadId}`);
        }
      }
      line.clear();
    },
    done: (label, output, file) => {
      line.finished(label);
      if (json) {
        say(JSON.stringify(doneView(label, output, file)));
      } else if (!quiet) {
        say(`${label} -> ${output ?? "standard output"} (${file.size} bytes)`);
        for (const { code, detail } of file.warnings) {
          warn(`${label}: ${code}: ${detail}`);
        }
      }
    },
    failed: (label, error) => {
      line.finished(label);
      if (json) {
        say(JSON.stringify(failedView(label, error)));
      } else {
        warn(`${label}: ${lineOf(error)}`);
      }
    },
  };
};

const doneView = (
  input: string,
  output: string | undefined,
  { job, size, mediaType, sha256, warnings }: SavableFile,
) => ({
  input,
  output: output ?? "-",
  status: "completed",
  job_id: job.id,
  size,
  media_type: mediaType,
  sha256,
  warnings,
});

const failedView = (input: string, error: unknown) => ({
  input,
  status: "failed",
  error:
    error instanceof AnyformError
      ? {
          code: error.code,
          detail: error.detail,
          retryable: error.retryable,
          request_id: error.requestId ?? null,
          upload_id: error.uploadId ?? null,
        }
      : { code: "internal_error", detail: lineOf(error), retryable: false, request_id: null, upload_id: null },
});

/** File names may contain terminal control sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?");

interface ProgressLine extends Pick<Report, "progress"> {
  readonly running: ReadonlyMap<string, Progress>;
  finished(label: string): void;
  clear(): void;
}

const progressLine = (isShown: boolean, total: number): ProgressLine => {
  const running = new Map<string, Progress>();
  let finishedCount = 0;
  let drawnAt = 0;
  const draw = (): void => {
    const now = Date.now();
    if (isShown && now - drawnAt >= REDRAW_MS) {
      drawnAt = now;
      const shown = [...running].map(([label, { phase, percent }]) => `${verbs[phase]} ${label} ${percent} %`);
      const text = `[${finishedCount}/${total}] ${shown.join(", ")}`;
      process.stderr.write(CLEAR + printable(text).slice(0, (process.stderr.columns || COLUMNS_DEFAULT) - 1));
    }
  };
  return {
    running,
    progress: (label: string, progress: Progress): void => {
      running.set(label, progress);
      draw();
    },
    finished: (label: string): void => {
      running.delete(label);
      finishedCount += 1;
    },
    clear: (): void => {
      if (isShown) {
        process.stderr.write(CLEAR);
        drawnAt = 0;
      }
    },
  };
};
