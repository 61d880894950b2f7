import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Anyform, AnyformError } from "../../../client/index.ts";
import type { Found, FoundFile } from "./entries.ts";
import { errorOf, makeLine, type Work } from "./line.ts";
import { formatLookup } from "./lookup.ts";
import type { Resumes } from "./resumes.ts";
import {
  chooseTarget,
  copyOf,
  isBusy,
  isStartable,
  type NewRow,
  newRow,
  type Row,
  resetRow,
  type Step,
  setWish,
  type Wish,
} from "./rows.ts";
import { convertRow, sendRow, type WorkContext } from "./work.ts";

/** How many rows are at which step. */
export type Summary = Readonly<Record<Step, number>> & { readonly all: number; readonly busy: number };

/** The list of files, and what happens to them. Nothing is sent, or counted, before somebody starts it. */
export interface Queue {
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly summary: ReadonlySignal<Summary>;
  /** What would stop every row alike: nobody is signed in, the quota is used up. What waited waits on. */
  readonly halt: Signal<AnyformError | undefined>;
  addFiles(found: Pick<Found, "files">): void;
  addUrl(url: string): void;
  /** Cancels it, too. */
  remove(row: Row): void;
  clear(): void;
  /** Converts those that have a target and no result. */
  start(rows: readonly Row[]): void;
  /** Puts the same file below it once more, so that its result stays; it is not sent again. @returns the new row */
  again(row: Row): Row;
  /** Sends the file to learn its format, where its name does not tell. */
  look(row: Row): void;
  cancel(row: Row): void;
  /** Adds a row that several become one file in; it is still to be started. */
  merge(rows: readonly Row[], name: string, wish: Wish): Row;
}

export const makeQueue = (client: Anyform, resumes: Resumes): Queue => {
  const context: WorkContext = { client, resumes, formats: formatLookup(client) };
  const rows = signal<readonly Row[]>([]);
  const halt = signal<AnyformError | undefined>(undefined);
  const line = makeLine((error) => {
    halt.value = error;
  });
  let lastId = 0;

  const add = (news: readonly Omit<NewRow, "id">[]): void => {
    const added = news.map((row) => newRow({ ...row, id: ++lastId }));
    const before = rows.value;
    rows.value = [...before, ...added];
    for (const row of added) {
      void guessFormat(context, row, before).catch((error: unknown) => {
        halt.value = errorOf(error);
      });
    }
  };
  const enter = (wanted: readonly Row[], work: Work): void =>
    batch(() => {
      halt.value = undefined;
      for (const row of wanted) {
        resetRow(row);
        row.step.value = "queued";
        line.enter(row, work);
      }
    });
  const start = (wanted: readonly Row[]): void =>
    enter(wanted.filter(isStartable), (row, abort) => convertRow(context, row, abort));

  return {
    rows,
    halt,
    summary: computed(() => summaryOf(rows.value)),
    addFiles: ({ files }) => add(files.map(fileRow)),
    addUrl: (url) => add([{ source: { kind: "url", url }, name: nameIn(url), folder: "", bytes: undefined }]),
    remove: (row) => {
      line.cancel(row);
      rows.value = rows.value.filter((each) => each !== row);
    },
    clear: () => {
      for (const row of rows.value) {
        line.cancel(row);
      }
      rows.value = [];
      halt.value = undefined;
    },
    start,
    again: (row) => {
      const copy = copyOf(row, ++lastId);
      rows.value = rows.value.flatMap((each) => (each === row ? [row, copy] : [each]));
      return copy;
    },
    look: (row) =>
      enter([row], async (each, abort) => {
        each.step.value = "uploading";
        await sendRow(context, each, abort);
      }),
    cancel: line.cancel,
    merge: (parts, name, wish) => {
      const row = newRow({ id: ++lastId, source: { kind: "merge", rows: parts }, name, folder: "", bytes: undefined });
      row.format.value = parts[0]?.format.value;
      setWish(row, wish);
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

/** A further file of a format takes the target that was chosen for those before it. */
const guessFormat = async ({ formats }: WorkContext, row: Row, before: readonly Row[]): Promise<void> => {
  row.isLooking.value = true;
  try {
    const format = await formats.guess(row.name, row.source.kind === "file" ? row.source.file.type : "");
    const like = before.findLast(({ format: other, target }) => other.value === format && target.value !== undefined);
    batch(() => {
      row.format.value ??= format;
      if (like?.target.value !== undefined && format !== undefined && row.target.value === undefined) {
        chooseTarget(row, like.target.value);
        row.options.value = like.options.value;
      }
    });
  } finally {
    row.isLooking.value = false;
  }
};

const summaryOf = (rows: readonly Row[]): Summary => {
  const counts = { waiting: 0, queued: 0, uploading: 0, converting: 0, done: 0, failed: 0, cancelled: 0 };
  for (const { step } of rows) {
    counts[step.value] += 1;
  }
  return { ...counts, all: rows.length, busy: rows.filter(isBusy).length };
};

/** @returns the last part of an address's path, which mostly is the name of a file; else its host */
const nameIn = (url: string): string => {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
};
