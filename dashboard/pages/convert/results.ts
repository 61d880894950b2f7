import { saveBlob, saveUrl } from "../../save-blob.ts";
import { fetchResult, type Result, type Row } from "./rows.ts";
import { zipNames } from "./zip-names.ts";

/** Fetches results, once each, and saves them: one file, or all in one ZIP. */

/** Larger results are downloaded by the browser itself: they would not fit into a tab's memory. */
const BLOB_BYTES_MAX = 200_000_000;

/** Saves a result as a download. @throws AnyformError */
export const saveResult = async (result: Result): Promise<void> => {
  const { name, size, job } = result.file;
  const url = job.result?.download_url;
  if (size > BLOB_BYTES_MAX && url !== undefined) {
    saveUrl(url, name);
    return;
  }
  saveBlob(await fetchResult(result), name);
};

type SavePicker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableStream> }>;

/**
 * Saves all results in one ZIP: directly to the disk if the browser supports that, otherwise through a Blob.
 * @param onFile called with the number of files added so far
 * @throws AnyformError; resolves without a file if the user closes the browser's dialog
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

/** Must be called while the click still counts as user activation, so before anything is fetched. */
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
    // If the browser or its settings forbid it, the ZIP is saved through a Blob.
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
