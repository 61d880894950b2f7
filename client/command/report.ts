import { AnyformError } from "../http/errors.ts";
import type { Progress, SavableFile } from "../node.ts";
import { lineOf } from "./exit.ts";
import { printable, progressBar } from "./progress-bar.ts";
import { screenOf } from "./settings.ts";
import { durationText, sizeText } from "./sizes.ts";

/** Reports conversions while they run: lines of text or JSON, a progress bar on a terminal, and a summary. */
export interface Report {
  progress(label: string, progress: Progress): void;
  /** @param inputBytes undefined if the size of the input is not known */
  done(label: string, result: Done): void;
  /** The conversion has ended without an outcome: it is repeated later. */
  stopped(label: string): void;
  /** Prints a line that is not about one input, except with JSON. */
  note(text: string): void;
  skipped(label: string, output: string): void;
  /** Prints an error that affects all inputs, which `failed` need not repeat. */
  halted(error: unknown): void;
  failed(label: string, error: unknown, explained?: boolean): void;
  /** Clears the progress bar, prints how to resume interrupted uploads, and the summary. */
  end(): void;
}

export interface Done {
  readonly output: string | undefined;
  readonly file: SavableFile;
  readonly inputBytes: number | undefined;
}

export interface ReportSettings {
  /** Inputs of the run; undefined if their number is not known. */
  readonly total: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether the result is written to standard output, which then contains nothing else. */
  readonly toStdout: boolean;
  /** Whether to end with a summary. */
  readonly summary: boolean;
}

export const reportTo = ({ total, json, quiet, toStdout, summary }: ReportSettings): Report => {
  const bar = progressBar({ total, screen: json || quiet ? undefined : screenOf(process.stderr) });
  const counts = { converted: 0, failed: 0, skipped: 0, inputBytes: 0, outputBytes: 0, isComplete: true };
  const begun = Date.now();
  const print = (stream: NodeJS.WriteStream, text: string): void => {
    bar.clear();
    stream.write(`${printable(text)}\n`);
    bar.draw();
  };
  const say = (text: string): void => print(toStdout ? process.stderr : process.stdout, text);
  const warn = (text: string): void => print(process.stderr, text);
  const note = (text: string): void => {
    if (!json) {
      warn(text);
    }
  };
  return {
    note,
    progress: bar.progress,
    stopped: bar.finished,
    end: () => {
      bar.clear();
      const interrupted = [...bar.running];
      for (const [label, { uploadId }] of interrupted) {
        bar.finished(label);
        if (uploadId !== undefined) {
          warn(`${label}: resume with --resume ${uploadId}`);
        }
      }
      if (summary && !json && !quiet) {
        warn(summaryOf(counts, Date.now() - begun));
      }
    },
    done: (label, { output, file, inputBytes }) => {
      bar.finished(label);
      counts.converted += 1;
      counts.outputBytes += file.size;
      counts.inputBytes += inputBytes ?? 0;
      counts.isComplete &&= inputBytes !== undefined;
      if (json) {
        say(JSON.stringify(doneView(label, output, file)));
      } else if (!quiet) {
        say(`${label} -> ${output ?? "standard output"} (${sizeText(file.size)})`);
        for (const { code, detail } of file.warnings) {
          warn(`${label}: ${code}: ${detail}`);
        }
      }
    },
    halted: (error) => note(`anyform: ${lineOf(error)}`),
    skipped: (label, output) => {
      bar.finished(label);
      counts.skipped += 1;
      if (json) {
        say(JSON.stringify({ input: label, output, status: "skipped" }));
      }
    },
    failed: (label, error, explained = false) => {
      bar.finished(label);
      counts.failed += 1;
      if (json) {
        say(JSON.stringify(failedView(label, error)));
      } else if (!explained) {
        warn(`${label}: ${lineOf(error)}`);
      }
    },
  };
};

interface Counts {
  readonly converted: number;
  readonly failed: number;
  readonly skipped: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Whether the sizes of all inputs are known. */
  readonly isComplete: boolean;
}

const summaryOf = (counts: Counts, milliseconds: number): string => {
  const { converted, failed, skipped, inputBytes, outputBytes, isComplete } = counts;
  const sizes = isComplete ? `${sizeText(inputBytes)} -> ${sizeText(outputBytes)}` : sizeText(outputBytes);
  const parts = [
    `${converted} converted`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(converted > 0 ? [sizes] : []),
  ];
  return `${parts.join(", ")} in ${durationText(milliseconds)}`;
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
