import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AnyformError, ConvertedFile } from "../../../client/index.ts";
import type { RememberedOptions } from "./options/remembered.ts";
import type { OptionValues } from "./options/schema-form.ts";
import type { SourceFormat, Target } from "./options/targets.ts";

/** A file in the list. Its changing properties are signals, so that a change of one row does not render 500 others. */
export interface Row {
  readonly id: number;
  readonly source: RowSource;
  readonly name: string;
  /** Its folder path, such as `holiday/`; usually empty. */
  readonly folder: string;
  /** Undefined for a URL that has not been fetched yet. */
  readonly bytes: number | undefined;
  /** Guessed from the name at first, detected from the bytes after the upload; undefined if unknown. */
  readonly format: Signal<SourceFormat | undefined>;
  /** Whether the format is being looked up by the name. */
  readonly isGuessing: Signal<boolean>;
  readonly upload: Signal<StoredUpload | undefined>;
  readonly target: Signal<string | undefined>;
  readonly options: Signal<OptionValues>;
  readonly step: Signal<Step>;
  /** Progress of the step; undefined while unknown. */
  readonly percent: Signal<number | undefined>;
  readonly problem: Signal<AnyformError | undefined>;
  readonly result: Signal<Result | undefined>;
  /** A small picture that the service made of the file or its result, if it was requested. */
  readonly thumbnail: Signal<Blob | undefined>;
  /** The target with its format and conversion. */
  readonly chosen: ReadonlySignal<Target | undefined>;
}

export type RowSource =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "url"; readonly url: string }
  /** Several files that are merged into one. */
  | { readonly kind: "merge"; readonly rows: readonly Row[] };

/** `waiting` for the user, `queued` for its turn, then in progress, then ended. */
export type Step = "waiting" | "queued" | "uploading" | "converting" | "done" | "failed" | "cancelled";

/** A file that was uploaded. */
export interface StoredUpload {
  readonly id: string;
  readonly targets: readonly string[];
}

export interface Result {
  readonly file: ConvertedFile;
  /** Its bytes, once they were fetched. Fetching counts as a request, so it is done only once, and only on demand. */
  readonly blob: Signal<Blob | undefined>;
}

/** @returns the bytes of a result, fetched on first use. @throws AnyformError */
export const fetchResult = async ({ file, blob }: Result): Promise<Blob> => {
  blob.value ??= await file.blob();
  return blob.value;
};

/**
 * Marks that change the direction of text: with them, a program's name can look like that of a picture. The service removes
 * them as well (functions/domain/uploads/upload.ts).
 */
const DISGUISES = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export type NewRow = Pick<Row, "bytes" | "folder" | "id" | "name" | "source">;

export const newRow = ({ id, source, name, folder, bytes }: NewRow): Row => {
  const format = signal<SourceFormat | undefined>(undefined);
  const target = signal<string | undefined>(undefined);
  return {
    id,
    source,
    name: name.replace(DISGUISES, "") || name,
    folder,
    bytes,
    format,
    target,
    isGuessing: signal(false),
    upload: signal<StoredUpload | undefined>(undefined),
    options: signal<OptionValues>({}),
    step: signal<Step>("waiting"),
    percent: signal<number | undefined>(undefined),
    problem: signal<AnyformError | undefined>(undefined),
    result: signal<Result | undefined>(undefined),
    thumbnail: signal<Blob | undefined>(undefined),
    chosen: computed(() => format.value?.targets.find((each) => each.format.id === target.value)),
  };
};

/** @returns a new row for the same file with its format and upload; the file is not uploaded again */
export const copyOf = (row: Row, id: number): Row => {
  const copy = newRow({ ...row, id });
  copy.format.value = row.format.value;
  copy.upload.value = row.upload.value;
  return copy;
};

/** The target and options that the user selects for a row. */
export interface ConversionChoice {
  readonly target: string;
  readonly options: OptionValues;
}

export const setChoice = (row: Row, { target, options }: ConversionChoice): void => {
  row.target.value = target;
  row.options.value = options;
};

/** Whether the row is in progress or queued. */
export const isBusy = ({ step }: Row): boolean => BUSY.has(step.value);

/** Whether “Convert” includes the row: it has a target and no result. */
export const isStartable = ({ step, target }: Row): boolean => target.value !== undefined && STARTABLE.has(step.value);

const BUSY: ReadonlySet<Step> = new Set(["queued", "uploading", "converting"]);
const STARTABLE: ReadonlySet<Step> = new Set(["waiting", "failed", "cancelled"]);

/** @returns the requests that a row still needs: to upload it, to convert it, and to fetch its result */
const requestsOf = ({ source, upload, result, step }: Row): number => {
  const toFetch = result.value?.blob.value === undefined ? 1 : 0;
  if (step.value === "done") {
    return toFetch;
  }
  const toUpload = source.kind === "merge" ? source.rows.filter((part) => part.upload.value === undefined).length : 1;
  return (upload.value === undefined ? toUpload : 0) + 1 + toFetch;
};

/**
 * @param selected rows to convert
 * @param all the list; rows that are completed or in progress come first
 * @param remaining the account's remaining requests
 * @returns the rows whose results can still be fetched; at least one, so that the service makes the final decision
 */
export const affordable = (selected: readonly Row[], all: readonly Row[], remaining: number | null): readonly Row[] => {
  if (remaining === null) {
    return selected;
  }
  const others = all.filter((row) => (row.step.value === "done" || isBusy(row)) && !selected.includes(row));
  let left = remaining - others.reduce((sum, row) => sum + requestsOf(row), 0);
  const fitting = selected.filter((row) => {
    left -= requestsOf(row);
    return left >= 0;
  });
  return fitting.length === 0 ? selected.slice(0, 1) : fitting;
};

/** Fills empty options of a row with those that were last used for the pair. */
export const fillOptions = (row: Row, target: string, remembered: RememberedOptions): void => {
  const source = row.format.value?.format.id;
  if (source !== undefined && Object.keys(row.options.value).length === 0) {
    row.options.value = remembered.find(source, target);
  }
};

/** Changes a row's target. Options that the new conversion also supports are kept; the result is removed. */
export const chooseTarget = (row: Row, target: string): void => {
  row.target.value = target;
  resetRow(row);
  const keepSupported = (): void => {
    if (row.target.value === target) {
      row.options.value = supportedOptions(row);
    }
  };
  keepSupported();
  // The options dialog and the conversion itself load it again, and report the error.
  row.chosen.value?.load().then(keepSupported, () => undefined);
};

/** @returns the options that the conversion supports; all of them while it is not loaded */
const supportedOptions = ({ chosen, options }: Row): OptionValues => {
  const conversion = chosen.value?.conversion.value;
  if (conversion === undefined) {
    return options.value;
  }
  const { properties = {} } = conversion.options as { properties?: object };
  return Object.fromEntries(Object.entries(options.value).filter(([name]) => Object.hasOwn(properties, name)));
};

/** Resets a row to its state before the conversion; its upload is kept. */
export const resetRow = (row: Row): void => {
  row.step.value = "waiting";
  row.percent.value = undefined;
  row.problem.value = undefined;
  if (row.result.value !== undefined) {
    row.thumbnail.value = undefined;
  }
  row.result.value = undefined;
};
