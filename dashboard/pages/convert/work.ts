import { batch, signal } from "@preact/signals";
import { type Anyform, AnyformError, type Progress, type Upload } from "../../../client/index.ts";
import type { FormatLookup } from "./lookup.ts";
import { RESUMED_BYTES_MIN, type Resumes } from "./resumes.ts";
import type { Row, SentUpload } from "./rows.ts";

/** What becomes of one row: it is sent once, and then converted as often as somebody likes. */

export interface WorkContext {
  readonly client: Anyform;
  readonly formats: FormatLookup;
  readonly resumes: Resumes;
}

/** The upload is gone, or is another file's: it is begun anew. */
const GONE_CODES = new Set(["expired", "not_found", "invalid_input"]);

/** Uploads at once of files that become one. */
const MERGED_AT_ONCE = 3;

/** Sends the file, unless it was sent, and learns what it is. @throws AnyformError, or the signal's reason */
export const sendRow = async (context: WorkContext, row: Row, abort: AbortSignal): Promise<SentUpload> => {
  if (row.upload.value !== undefined) {
    return row.upload.value;
  }
  const upload = await uploadOf(context, row, abort);
  const format = upload.format === null ? undefined : await context.formats.find(upload.format);
  const sent = { id: upload.upload_id, targets: upload.targets };
  batch(() => {
    row.upload.value = sent;
    row.format.value = format ?? row.format.value;
  });
  return sent;
};

const uploadOf = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<Upload> => {
  const { source } = row;
  if (source.kind === "merge") {
    throw new AnyformError({ code: "invalid_input", detail: "What is made of several files is not sent itself." });
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
    // A line that broke can be taken up; what was refused cannot.
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

/** Sends and converts. @throws AnyformError, or the signal's reason */
export const convertRow = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<void> => {
  const { source } = row;
  row.step.value = "uploading";
  if (source.kind === "merge") {
    await mergeRow(context, { row, rows: source.rows, signal });
    return;
  }
  const wasSent = row.upload.value !== undefined;
  try {
    await convertSent(context, row, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!wasSent || !isGone(error)) {
      throw error;
    }
    row.upload.value = undefined;
    row.step.value = "uploading";
    await convertSent(context, row, signal);
  }
};

const convertSent = async (context: WorkContext, row: Row, signal: AbortSignal): Promise<void> => {
  const { id, targets } = await sendRow(context, row, signal);
  const target = targetOf(row);
  if (!targets.includes(target)) {
    throw wrongTarget(row, targets);
  }
  row.step.value = "converting";
  const file = await context.client.convert({ uploadId: id }, target, waitingOf(row, signal));
  row.result.value = resultOf(file);
};

const mergeRow = async (
  context: WorkContext,
  { row, rows, signal }: { readonly row: Row; readonly rows: readonly Row[]; readonly signal: AbortSignal },
): Promise<void> => {
  const inputs: { uploadId: string }[] = [];
  // A few at a time, in their order: the order of the list is that of the pages.
  for (let at = 0; at < rows.length; at += MERGED_AT_ONCE) {
    const sent = await Promise.all(rows.slice(at, at + MERGED_AT_ONCE).map((part) => sendRow(context, part, signal)));
    inputs.push(...sent.map(({ id }) => ({ uploadId: id })));
    row.percent.value = Math.floor((inputs.length / rows.length) * 100);
  }
  batch(() => {
    row.step.value = "converting";
    row.percent.value = undefined;
  });
  const file = await context.client.merge(inputs, targetOf(row), waitingOf(row, signal));
  row.result.value = resultOf(file);
};

const resultOf = (file: Awaited<ReturnType<Anyform["convert"]>>) => ({
  file,
  blob: signal<Blob | undefined>(undefined),
});

/** Many engines tell nothing of how far they are: then it is under way, and no number is shown. */
const waitingOf = (row: Row, signal: AbortSignal) => ({
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
    throw new AnyformError({ code: "invalid_input", detail: `Nothing was chosen for ${name} to become.` });
  }
  return target.value;
};

/** The bytes are another format's than the name says, so that what was chosen by the name does not fit. */
const wrongTarget = ({ format, target }: Row, targets: readonly string[]): AnyformError =>
  new AnyformError({
    code: "unsupported_conversion",
    detail: `A ${format.value?.format.name ?? "file"} cannot become ${target.value}.`,
    supportedTargets: targets,
  });
