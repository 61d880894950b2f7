import type { Anyform } from "../node.ts";

const IS_UPLOAD_OPTION = /_upload_id$/;
const IS_UPLOAD_ID = /^upl_\w+$/;

type GivenOptions = Readonly<Record<string, unknown>>;

interface Uploading {
  readonly client: Pick<Anyform, "upload">;
  /** @returns the path to read, if it may be read. @default the path itself */
  readonly readable?: (path: string) => Promise<string>;
  readonly signal?: AbortSignal;
}

/**
 * @returns the options, with an upload in place of each path that is the value of an option such as `watermark_upload_id`;
 * IDs stay as they are
 */
export const withUploads = async (
  options: GivenOptions,
  { client, readable = async (path) => path, signal }: Uploading,
): Promise<GivenOptions> => {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(options)) {
    const isPath = IS_UPLOAD_OPTION.test(name) && typeof value === "string" && !IS_UPLOAD_ID.test(value);
    const given = isPath
      ? (await client.upload(await readable(value), { ...(signal && { signal }) })).upload_id
      : value;
    entries.push([name, given]);
  }
  return Object.fromEntries(entries);
};
