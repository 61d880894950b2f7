import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AnyformError, ConvertedFile } from "../../../client/index.ts";
import type { OptionValues } from "./schema-form.ts";
import type { SourceFormat, Target } from "./targets.ts";

/** A file of the list. What changes are signals of its own, so that news of one draws one row, and not five hundred. */
export interface Row {
  readonly id: number;
  readonly source: RowSource;
  readonly name: string;
  /** The folders that it lay in, as `holiday/`; mostly nothing. */
  readonly folder: string;
  /** Undefined for an address that nothing was fetched from yet. */
  readonly bytes: number | undefined;
  /** Told by the name at first, and by the bytes once they are there; undefined where neither tells it. */
  readonly format: Signal<SourceFormat | undefined>;
  /** Whether the format is looked up by the name. */
  readonly isLooking: Signal<boolean>;
  readonly upload: Signal<SentUpload | undefined>;
  readonly target: Signal<string | undefined>;
  readonly options: Signal<OptionValues>;
  readonly step: Signal<Step>;
  /** Of the step; undefined while nobody knows. */
  readonly percent: Signal<number | undefined>;
  readonly problem: Signal<AnyformError | undefined>;
  readonly result: Signal<Result | undefined>;
  /** The target as the list of formats has it. */
  readonly chosen: ReadonlySignal<Target | undefined>;
}

export type RowSource =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "url"; readonly url: string }
  /** Several that become one. */
  | { readonly kind: "merge"; readonly rows: readonly Row[] };

/** `waiting` for a person, `queued` for its turn; then it is at work; then it has ended. */
export type Step = "waiting" | "queued" | "uploading" | "converting" | "done" | "failed" | "cancelled";

/** A file that the service has. */
export interface SentUpload {
  readonly id: string;
  readonly targets: readonly string[];
}

export interface Result {
  readonly file: ConvertedFile;
  /** Its bytes, once they were fetched: that counts as a request, so it is done once, and only when it is asked for. */
  readonly blob: Signal<Blob | undefined>;
}

/** @returns the bytes of a result, which are fetched when they are asked for first. @throws AnyformError */
export const fetchResult = async ({ file, blob }: Result): Promise<Blob> => {
  blob.value ??= await file.blob();
  return blob.value;
};

export type NewRow = Pick<Row, "bytes" | "folder" | "id" | "name" | "source">;

export const newRow = ({ id, source, name, folder, bytes }: NewRow): Row => {
  const format = signal<SourceFormat | undefined>(undefined);
  const target = signal<string | undefined>(undefined);
  return {
    id,
    source,
    name,
    folder,
    bytes,
    format,
    target,
    isLooking: signal(false),
    upload: signal<SentUpload | undefined>(undefined),
    options: signal<OptionValues>({}),
    step: signal<Step>("waiting"),
    percent: signal<number | undefined>(undefined),
    problem: signal<AnyformError | undefined>(undefined),
    result: signal<Result | undefined>(undefined),
    chosen: computed(() => format.value?.targets.find((each) => each.format.id === target.value)),
  };
};

/** @returns the same file once more, with what is known of it; it is not sent again */
export const copyOf = (row: Row, id: number): Row => {
  const copy = newRow({ ...row, id });
  copy.format.value = row.format.value;
  copy.upload.value = row.upload.value;
  return copy;
};

/** What a person wants a row to become. */
export interface Wish {
  readonly target: string;
  readonly options: OptionValues;
}

export const setWish = (row: Row, { target, options }: Wish): void => {
  row.target.value = target;
  row.options.value = options;
};

/** Whether something happens to it, or is about to. */
export const isBusy = ({ step }: Row): boolean => BUSY.has(step.value);

/** Whether a press of “Convert” means it: it has a target and no result. */
export const isStartable = ({ step, target }: Row): boolean => target.value !== undefined && STARTABLE.has(step.value);

const BUSY: ReadonlySet<Step> = new Set(["queued", "uploading", "converting"]);
const STARTABLE: ReadonlySet<Step> = new Set(["waiting", "failed", "cancelled"]);

/** @returns requests that a row still needs: to send it, to convert it, and to fetch its result */
const requestsOf = ({ source, upload, result, step }: Row): number => {
  const toFetch = result.value?.blob.value === undefined ? 1 : 0;
  if (step.value === "done") {
    return toFetch;
  }
  const toSend = source.kind === "merge" ? source.rows.filter((part) => part.upload.value === undefined).length : 1;
  return (upload.value === undefined ? toSend : 0) + 1 + toFetch;
};

/**
 * @param wanted rows that somebody wants converted
 * @param all the list; what is done or under way in it comes first
 * @param remaining requests that the account has left
 * @returns those of them whose results can still be fetched; at least one, so that the service has the last word
 */
export const affordable = (wanted: readonly Row[], all: readonly Row[], remaining: number): readonly Row[] => {
  const others = all.filter((row) => (row.step.value === "done" || isBusy(row)) && !wanted.includes(row));
  let left = remaining - others.reduce((sum, row) => sum + requestsOf(row), 0);
  const fitting = wanted.filter((row) => {
    left -= requestsOf(row);
    return left >= 0;
  });
  return fitting.length === 0 ? wanted.slice(0, 1) : fitting;
};

/** Gives a row another target; of its options those stay that the new conversion takes too, and a result goes. */
export const chooseTarget = (row: Row, target: string): void => {
  row.target.value = target;
  const { properties = {} } = (row.chosen.value?.conversion.options ?? {}) as { properties?: object };
  row.options.value = Object.fromEntries(
    Object.entries(row.options.value).filter(([name]) => Object.hasOwn(properties, name)),
  );
  resetRow(row);
};

/** Takes a row back to where it was before it was converted; its upload stays. */
export const resetRow = (row: Row): void => {
  row.step.value = "waiting";
  row.percent.value = undefined;
  row.problem.value = undefined;
  row.result.value = undefined;
};
