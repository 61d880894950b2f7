import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { openPromise } from "yauzl";

/** @returns what a zip holds, by yauzl: the text of each file by its path, and undefined for folders */
export const zipHolds = async (path: string): Promise<Record<string, string | undefined>> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const found: [string, string | undefined][] = [];
  for await (const entry of zip.eachEntry()) {
    const folder = entry.fileName.endsWith("/");
    const chunks: Buffer[] = [];
    for await (const chunk of folder ? [] : await zip.openReadStreamPromise(entry)) {
      chunks.push(Buffer.from(chunk));
    }
    found.push([entry.fileName, folder ? undefined : Buffer.concat(chunks).toString("utf8")]);
  }
  zip.close();
  return Object.fromEntries(found);
};

/** @returns what a tar holds, packed by gzip or not, by tar-stream: kind and text, or where a link leads, by path */
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
