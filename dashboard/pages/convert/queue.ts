import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Anyform, AnyformError } from "../../../client/index.ts";
import type { Found, FoundFile } from "./adding/entries.ts";
import { formatLookup } from "./adding/lookup.ts";
import type { RememberedOptions } from "./options/remembered.ts";
import { likeliestTarget } from "./options/targets.ts";
import { createPool, errorOf, type Work } from "./pool.ts";
import type { Resumes } from "./resumes.ts";
import {
  type ConversionChoice,
  chooseTarget,
  copyOf,
  fillOptions,
  isBusy,
  isStartable,
  type NewRow,
  newRow,
  type Row,
  resetRow,
  type Step,
  setChoice,
} from "./rows.ts";
import { convertRow, uploadRow, type WorkContext } from "./work.ts";

/** Number of rows in each step. */
export type Summary = Readonly<Record<Step, number>> & { readonly all: number; readonly busy: number };

/** The list of files and their conversions. Nothing is uploaded or counted before it is started. */
export interface Queue {
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly summary: ReadonlySignal<Summary>;
  /** An error that affects every row: nobody is signed in, or the quota is used up. Queued rows become ready again. */
  readonly halt: Signal<AnyformError | undefined>;
  /** The target of the page that the user came to, such as “Convert HEIC to JPG”: new files get it if they support it. */
  readonly wanted: Signal<string | undefined>;
  addFiles(found: Pick<Found, "files">): void;
  addUrl(url: string): void;
  /** Also cancels the row. */
  remove(row: Row): void;
  clear(): void;
  /** Converts the rows that have a target and no result. */
  start(rows: readonly Row[]): void;
  /** Adds a row for the same file below it, so that its result is kept; the file is not uploaded again. @returns the new row */
  duplicate(row: Row): Row;
  /** Uploads the file to detect its format, if its name does not reveal it. */
  detectFormat(row: Row): void;
  cancel(row: Row): void;
  /** Adds a row that merges several files; it is not started yet. */
  merge(rows: readonly Row[], name: string, choice: ConversionChoice): Row;
}

export const createQueue = (
  client: Anyform,
  resumes: Resumes,
  remembered: RememberedOptions = rememberedNone,
): Queue => {
  const context: WorkContext = { client, resumes, formats: formatLookup(client) };
  const rows = signal<readonly Row[]>([]);
  const halt = signal<AnyformError | undefined>(undefined);
  const wanted = signal<string | undefined>(undefined);
  const pool = createPool((error) => {
    halt.value = error;
  });
  let lastId = 0;

  const add = (news: readonly Omit<NewRow, "id">[]): void => {
    const added = news.map((row) => newRow({ ...row, id: ++lastId }));
    const before = rows.value;
    rows.value = [...before, ...added];
    for (const row of added) {
      void guessFormat(context, row, { before, wanted: wanted.value, remembered }).catch((error: unknown) => {
        halt.value = errorOf(error);
      });
    }
  };
  const run = (selected: readonly Row[], work: Work): void =>
    batch(() => {
      halt.value = undefined;
      for (const row of selected) {
        resetRow(row);
        row.step.value = "queued";
        pool.add(row, work);
      }
    });
  const start = (selected: readonly Row[]): void =>
    run(selected.filter(isStartable), (row, abort) => convertRow(context, row, abort));

  return {
    rows,
    halt,
    wanted,
    summary: computed(() => summaryOf(rows.value)),
    addFiles: ({ files }) => add(files.map(fileRow)),
    addUrl: (url) => add([{ source: { kind: "url", url }, name: nameIn(url), folder: "", bytes: undefined }]),
    remove: (row) => {
      pool.cancel(row);
      rows.value = rows.value.filter((each) => each !== row);
    },
    clear: () => {
      for (const row of rows.value) {
        pool.cancel(row);
      }
      rows.value = [];
      halt.value = undefined;
    },
    start,
    duplicate: (row) => {
      const copy = copyOf(row, ++lastId);
      rows.value = rows.value.flatMap((each) => (each === row ? [row, copy] : [each]));
      return copy;
    },
    detectFormat: (row) =>
      run([row], async (each, abort) => {
        each.step.value = "uploading";
        await uploadRow(context, each, abort);
        each.target.value ??= each.format.value && likeliestTarget(each.format.value, wanted.value);
      }),
    cancel: pool.cancel,
    merge: (parts, name, choice) => {
      const row = newRow({ id: ++lastId, source: { kind: "merge", rows: parts }, name, folder: "", bytes: undefined });
      row.format.value = parts[0]?.format.value;
      setChoice(row, choice);
      rows.value = [...rows.value, row];
      return row;
    },
  };
};

const fileRow = ({ file, folder }: FoundFile): Omit<NewRow, "id"> => ({
  source: { kind: "file", file },
  name: file.name,
  folder,
  bytes: file.size,
});

interface Preselection {
  /** The rows before the new one. */
  readonly before: readonly Row[];
  readonly wanted: string | undefined;
  readonly remembered: RememberedOptions;
}

const rememberedNone: RememberedOptions = { find: () => ({}), keep: () => undefined };

/** A new file gets the target and options of the last file with the same format, otherwise the likeliest target and the options that were last used for it. */
const guessFormat = async (
  { formats }: WorkContext,
  row: Row,
  { before, wanted, remembered }: Preselection,
): Promise<void> => {
  row.isGuessing.value = true;
  try {
    const format = await formats.guess(row.name, row.source.kind === "file" ? row.source.file.type : "");
    const similar = before.findLast(
      ({ format: other, target }) => other.value === format && target.value !== undefined,
    );
    batch(() => {
      row.format.value ??= format;
      if (format === undefined || row.target.value !== undefined) {
        return;
      }
      const target = similar?.target.value ?? likeliestTarget(format, wanted);
      if (target !== undefined) {
        row.options.value = similar?.options.value ?? {};
        fillOptions(row, target, remembered);
        chooseTarget(row, target);
      }
    });
  } finally {
    row.isGuessing.value = false;
  }
};

const summaryOf = (rows: readonly Row[]): Summary => {
  const counts = { waiting: 0, queued: 0, uploading: 0, converting: 0, done: 0, failed: 0, cancelled: 0 };
  for (const { step } of rows) {
    counts[step.value] += 1;
  }
  return { ...counts, all: rows.length, busy: rows.filter(isBusy).length };
};

/** @returns the last segment of a URL's path, which usually is a file name; otherwise its host */
const nameIn = (url: string): string => {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
};
