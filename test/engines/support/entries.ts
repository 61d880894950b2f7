import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { openPromise } from "yauzl";

/** @returns the content of a zip, read by yauzl: the text of each file by path, and undefined for folders */
export const zipHolds = async (path: string): Promise<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(await zipBytes(path)).map(([name, bytes]) => [name, bytes?.toString("utf8")]));

/** @returns the content of a zip, read by yauzl: the bytes of each file by path, and undefined for folders */
export const zipBytes = async (path: string): Promise<Record<string, Buffer | undefined>> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const found: [string, Buffer | undefined][] = [];
  for await (const entry of zip.eachEntry()) {
    const folder = entry.fileName.endsWith("/");
    const chunks: Buffer[] = [];
    for await (const chunk of folder ? [] : await zip.openReadStreamPromise(entry)) {
      chunks.push(Buffer.from(chunk));
    }
    found.push([entry.fileName, folder ? undefined : Buffer.concat(chunks)]);
  }
  zip.close();
  return Object.fromEntries(found);
};

/** @returns the content of a tar, optionally gzipped, read by tar-stream: kind and text or link target, by path */
export const tarHolds = async (path: string, packed = false): Promise<Record<string, string>> => {
  const tar = extract();
  const source = createReadStream(path);
  (packed ? source.pipe(createGunzip()) : source).pipe(tar);
  const found: Record<string, string> = {};
  for await (const entry of tar) {
    const chunks: string[] = [];
    entry.on("data", (chunk) => chunks.push(String(chunk)));
    await once(entry, "end");
    const { name, type, linkname } = entry.header;
    found[name] = `${type}: ${linkname ?? chunks.join("")}`;
  }
  return found;
};
