import { batch, signal } from "@preact/signals";
import { type Anyform, AnyformError, type Progress, type Upload } from "../../../client/index.ts";
import type { FormatLookup } from "./adding/lookup.ts";
import { RESUMED_BYTES_MIN, type Resumes } from "./resumes.ts";
import type { Row, StoredUpload } from "./rows.ts";

/** The work of one row: it is uploaded once, and then converted any number of times. */

export interface WorkContext {
  readonly client: Anyform;
  readonly formats: FormatLookup;
  readonly resumes: Resumes;
}

/** The upload no longer exists, or belongs to another file: it is restarted. */
const GONE_CODES = new Set(["expired", "not_found", "invalid_input"]);

/** Concurrent uploads of files to merge. */
const MERGE_UPLOADS_MAX = 3;

/** Uploads the file, unless it is uploaded already, and stores its format. @throws AnyformError, or the signal's reason */
export const uploadRow = async (context: WorkContext, row: Row, abort: AbortSignal): Promise<StoredUpload> => {
  if (row.upload.value !== undefined) {
    return row.upload.value;
  }
  const upload = await uploadOf(context, row, abort);
  const format = upload.format === null ? undefined : await context.formats.find(upload.format);
  const stored = { id: upload.upload_id, targets: upload.targets };
  batch(() => {
    row.upload.value = stored;
    row.format.value = format ?? row.format.value;
  });
  return stored;
};

const uploadOf = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<Upload> => {
  const { source } = row;
  if (source.kind === "merge") {
    throw new AnyformError({ code: "invalid_input", detail: "A merged row has no file to upload." });
  }
  return source.kind === "url"
    ? context.client.upload(source.url, { signal })
    : uploadFile(context, { row, file: source.file, signal });
};

const uploadFile = async (
  context: WorkContext,
  { row, file, signal }: { readonly row: Row; readonly file: File; readonly signal: AbortSignal },
): Promise<Upload> => {
  const { client, resumes } = context;
  const onProgress = ({ percent, uploadId }: Progress): void => {
    row.percent.value = percent;
    if (uploadId !== undefined && file.size >= RESUMED_BYTES_MIN) {
      resumes.keep(file, uploadId);
    }
  };
  const resume = resumes.find(file);
  try {
    const upload = await client.upload(file, { signal, onProgress, resume });
    resumes.forget(file);
    return upload;
  } catch (error) {
    signal.throwIfAborted();
    // A lost connection can be resumed, a rejected upload cannot.
    if (!(error instanceof AnyformError) || error.code !== "not_reachable") {
      resumes.forget(file);
    }
    if (resume === undefined || !isGone(error)) {
      throw error;
    }
    return uploadFile(context, { row, file, signal });
  } finally {
    row.percent.value = undefined;
  }
};

const isGone = (error: unknown): boolean => error instanceof AnyformError && GONE_CODES.has(error.code);

/** Uploads and converts. @throws AnyformError, or the signal's reason */
export const convertRow = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<void> => {
  const { source } = row;
  row.step.value = "uploading";
  if (source.kind === "merge") {
    await mergeRow(context, { row, rows: source.rows, signal });
    return;
  }
  const wasUploaded = row.upload.value !== undefined;
  try {
    await convertUpload(context, row, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!wasUploaded || !isGone(error)) {
      throw error;
    }
    row.upload.value = undefined;
    row.step.value = "uploading";
    await convertUpload(context, row, signal);
  }
};

const convertUpload = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<void> => {
  const { id, targets } = await uploadRow(context, row, signal);
  const target = targetOf(row);
  if (!targets.includes(target)) {
    throw wrongTarget(row, targets);
  }
  if (Object.keys(row.options.value).length > 0) {
    // Then the options that the conversion does not support are removed.
    await row.chosen.value?.load();
  }
  row.step.value = "converting";
  const file = await context.client.convert({ uploadId: id }, target, jobSettings(row, signal));
  row.result.value = resultOf(file);
};

const mergeRow = async (
  context: WorkContext,
  { row, rows, signal }: { readonly row: Row; readonly rows: readonly Row[]; readonly signal: AbortSignal },
): Promise<void> => {
  const inputs: { uploadId: string }[] = [];
  // A few at a time and in order: the order of the list is the order of the pages.
  for (let at = 0; at < rows.length; at += MERGE_UPLOADS_MAX) {
    const uploads = await Promise.all(
      rows.slice(at, at + MERGE_UPLOADS_MAX).map((part) => uploadRow(context, part, signal)),
    );
    inputs.push(...uploads.map(({ id }) => ({ uploadId: id })));
    row.percent.value = Math.floor((inputs.length / rows.length) * 100);
  }
  batch(() => {
    row.step.value = "converting";
    row.percent.value = undefined;
  });
  const file = await context.client.merge(inputs, targetOf(row), jobSettings(row, signal));
  row.result.value = resultOf(file);
};

const resultOf = (file: Awaited<ReturnType<Anyform["convert"]>>) => ({
  file,
  blob: signal<Blob | undefined>(undefined),
});

/** Many engines do not report progress: then the progress bar is indeterminate. */
const jobSettings = (row: Row, signal: AbortSignal) => ({
  options: row.options.value,
  signal,
  onProgress: ({ phase, percent }: Progress): void => {
    if (phase === "convert") {
      row.percent.value = percent > 0 ? percent : undefined;
    }
  },
});

const targetOf = ({ target, name }: Row): string => {
  if (target.value === undefined) {
    throw new AnyformError({ code: "invalid_input", detail: `No target format is selected for ${name}.` });
  }
  return target.value;
};

/** The content has a different format than the name suggests, so the selected target does not apply. */
const wrongTarget = ({ format, target }: Row, targets: readonly string[]): AnyformError =>
  new AnyformError({
    code: "unsupported_conversion",
    detail: `${format.value?.format.name ?? "This file"} cannot be converted to ${target.value}.`,
    supportedTargets: targets,
  });
