import { fetchResult, type Result, type Row } from "./rows.ts";
import { zipNames } from "./zip-names.ts";

/** Fetches results, once each, and hands them to the person: by one file, or all in one ZIP. */

/** Larger results go from the service to the disk by the browser's own download; they would not fit in a tab's memory. */
const BLOB_BYTES_MAX = 200_000_000;

/** Pictures that browsers show; what is larger takes a tab too long to unpack. */
const SHOWN_MEDIA_TYPES = /^image\/(?:apng|avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon|vnd\.microsoft\.icon)$/;
const SHOWN_BYTES_MAX = 50_000_000;

export const isShowable = (mediaType: string, bytes: number): boolean =>
  SHOWN_MEDIA_TYPES.test(mediaType) && bytes <= SHOWN_BYTES_MAX;

/** Saves a result where the browser puts downloads. @throws AnyformError */
export const saveResult = async (result: Result): Promise<void> => {
  const { name, size, job } = result.file;
  const url = job.result?.download_url;
  if (size > BLOB_BYTES_MAX && url !== undefined) {
    saveAddress(url, name);
    return;
  }
  saveBlob(await fetchResult(result), name);
};

const saveBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  saveAddress(url, name);
  // The browser reads it in its own time; a minute is enough to begin.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

const saveAddress = (url: string, name: string): void => {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
};

type SavePicker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableStream> }>;

/**
 * Saves all results in one ZIP: straight to the disk, where the browser lets pages write there, else through a Blob.
 * @param onFile hears how many are in it
 * @throws AnyformError; nothing when the person closes the browser's dialog
 */
export const saveZip = async (rows: readonly Row[], name: string, onFile: (count: number) => void): Promise<void> => {
  const results = rows.flatMap(({ result, folder }) =>
    result.value === undefined ? [] : [{ result: result.value, folder }],
  );
  const target = await pickTarget(name);
  if (target === "closed") {
    return;
  }
  const { makeZip } = await import("client-zip");
  const stream = makeZip(entriesOf(results, onFile), { buffersAreUTF8: true });
  if (target === undefined) {
    saveBlob(await new Response(stream, { headers: { "content-type": "application/zip" } }).blob(), name);
    return;
  }
  await stream.pipeTo(target);
};

/** Must be asked for while the press of the button counts, so before anything is fetched. */
const pickTarget = async (name: string): Promise<WritableStream | "closed" | undefined> => {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SavePicker };
  if (showSaveFilePicker === undefined) {
    return undefined;
  }
  try {
    return await (await showSaveFilePicker({ suggestedName: name })).createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      return "closed";
    }
    // Where the browser or its owner forbids it, the usual way is left.
    return undefined;
  }
};

const entriesOf = async function* (
  results: readonly { readonly result: Result; readonly folder: string }[],
  onFile: (count: number) => void,
) {
  const names = zipNames(results.map(({ result, folder }) => ({ folder, name: result.file.name })));
  for (const [index, { result }] of results.entries()) {
    const { file, blob } = result;
    const input = blob.value ?? (file.size > BLOB_BYTES_MAX ? file.stream() : await fetchResult(result));
    onFile(index + 1);
    yield { name: names[index] ?? file.name, input, size: file.size };
  }
};
