import type { Upload } from "../api.ts";
import { hashOf } from "../calls/hashing.ts";
import { AnyformError, inputError } from "../http/errors.ts";
import { idempotencyKey, WAIT_SECONDS } from "../http/request.ts";
import { pollOnce } from "../http/retry.ts";
import { deleteUpload } from "../jobs.ts";
import type { OpenedInput, RemoteFile, StoredFile } from "./input.ts";
import { sendBytes, type UploadContext } from "./parts.ts";
import { bytesProgress } from "./progress.ts";

type Bytes = Extract<OpenedInput, { kind: "bytes" }>;

/** Largest file sent as a form, in bytes: the request limit of a function on AWS. */
const FORM_BYTES_MAX = 4_500_000;
/** Longest wait for an upload in milliseconds. The service aborts a download after ten minutes. */
const READY_MS_MAX = 25 * 60_000;

/** Sends a file, or has the service download it. @returns the upload once it is ready @throws AnyformError */
export const upload = async (context: UploadContext, input: OpenedInput): Promise<Upload> => {
  return readyUpload(context, await begin(context, input));
};

const begin = (context: UploadContext, input: OpenedInput): Promise<Upload> => {
  if (input.kind === "uploaded") {
    return uploadOf(context, input.uploadId);
  }
  if (input.kind === "page") {
    throw inputError("A web page cannot be uploaded: convert it by itself.");
  }
  return input.kind === "remote"
    ? announce(context, { ...remoteBody(input.file), ...formatOf(context) })
    : sendFile(context, input);
};

const uploadOf = ({ service, signal }: UploadContext, id: string): Promise<Upload> =>
  service.json<Upload>({ to: `upload/${encodeURIComponent(id)}`, signal });

const formatOf = ({ sourceFormat }: UploadContext) =>
  sourceFormat === undefined ? {} : { source_format: sourceFormat };

const remoteBody = (file: RemoteFile | StoredFile) => ({
  ...("url" in file
    ? { url: String(file.url), ...(file.headers && { headers: file.headers }) }
    : { storage: file.storage, key: file.key }),
  ...(file.name !== undefined && { filename: file.name }),
});

const sendFile = async (context: UploadContext, input: Bytes): Promise<Upload> => {
  if (context.resume !== undefined) {
    const begun = await uploadOf(context, context.resume);
    return begun.status === "pending" ? sendVerified(context, begun, input.blob) : begun;
  }
  if (input.blob.size > FORM_BYTES_MAX) {
    return sendDirectly(context, input);
  }
  try {
    return await sendForm(context, input);
  } catch (error) {
    if (error instanceof AnyformError && error.status === 413) {
      return sendDirectly(context, input);
    }
    throw error;
  }
};

/** All attempts share one key: however often the request arrives, it creates one upload and is counted once. */
const sendForm = async (context: UploadContext, { name, blob }: Bytes): Promise<Upload> => {
  const { service, signal, onProgress } = context;
  const form = new FormData();
  for (const [field, value] of Object.entries(formatOf(context))) {
    form.set(field, value);
  }
  form.set("file", blob, name);
  const created = await service.json<Upload>({
    method: "POST",
    to: "upload",
    headers: { "idempotency-key": idempotencyKey() },
    body: () => form,
    onSent: (bytes) => onProgress?.(bytesProgress("upload", Math.min(bytes, blob.size), blob.size)),
    bytes: blob.size,
    signal,
  });
  onProgress?.({ phase: "upload", percent: 100, bytes: blob.size, total: blob.size });
  return created;
};

const sendDirectly = async (context: UploadContext, { name, blob }: Bytes): Promise<Upload> =>
  sendVerified(context, await announce(context, { filename: name, size: blob.size, ...formatOf(context) }), blob);

/**
 * The file is hashed while it is sent, and the hash compared with that of the received bytes.
 * @throws AnyformError `checksum_mismatch`; the upload is deleted then
 */
const sendVerified = async (context: UploadContext, begun: Upload, blob: Blob): Promise<Upload> => {
  const { service, signal } = context;
  const sent = new AbortController();
  const either = signal ? AbortSignal.any([signal, sent.signal]) : sent.signal;
  const hash = hashOf(context.hasher(), blob, either);
  // Only relevant once the file is sent.
  hash.catch(() => undefined);
  try {
    const ready = await readyUpload(context, await sendBytes(context, begun, blob));
    if (ready.sha256 === (await hash)) {
      return ready;
    }
  } finally {
    sent.abort();
  }
  await deleteUpload(service, begun.upload_id).catch(() => undefined);
  throw new AnyformError({
    code: "checksum_mismatch",
    detail: `The bytes of upload ${begun.upload_id} that the service received are not those of the file.`,
    retryable: true,
  });
};

const announce = ({ service, signal }: UploadContext, body: object): Promise<Upload> =>
  service.json<Upload>({
    method: "POST",
    to: "upload",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey() },
    body: () => JSON.stringify(body),
    signal,
  });

const readyUpload = async ({ service, signal }: UploadContext, sent: Upload): Promise<Upload> => {
  let current = sent;
  const end = Date.now() + READY_MS_MAX;
  while (current.status === "pending" && Date.now() < end) {
    const request = () => service.json<Upload>({ to: `upload/${sent.upload_id}`, waitSeconds: WAIT_SECONDS, signal });
    current = await pollOnce(request, { hasChanged: ({ status }) => status !== "pending", signal });
  }
  if (current.status === "ready") {
    return current;
  }
  throw new AnyformError({
    code: current.error?.code ?? "upload_failed",
    detail: current.error?.detail ?? `Upload ${current.upload_id} did not become ready in time.`,
    retryable: current.error?.retryable ?? true,
    uploadId: current.upload_id,
  });
};
