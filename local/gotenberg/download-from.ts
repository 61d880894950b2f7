import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import { outboundHeaders } from "../../functions/api/storages/outbound-headers.ts";
import { IMPORT_URL_CHARACTERS_MAX } from "../../functions/domain/limits.ts";
import { safeFilename } from "../../functions/domain/uploads/upload.ts";
import type { Reaches } from "../../functions/outbound/addresses.ts";
import { DownloadError, download } from "../../functions/outbound/download.ts";
import { GotenbergError } from "./errors.ts";
import type { StagedFile } from "./form.ts";
import { json } from "./values.ts";

/** The files of the form field `downloadFrom`, which are downloaded by the rules of URL imports. */

const ENTRIES_MAX = 50;
const CONCURRENT_MAX = 4;
/** All files of a form together. */
const BYTES_MAX = 500_000_000;
/** The client waits for the response: as long as for a web page. */
const DOWNLOADS_MS_MAX = 110_000;

const entries = z.array(
  z.object({
    url: z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(IMPORT_URL_CHARACTERS_MAX)),
    extraHttpHeaders: z.nullish(outboundHeaders("the request to the URL")),
    embedded: z.nullish(z.boolean()),
    field: z.nullish(z.string()),
  }),
);

type Entry = z.infer<typeof entries>[number];

/** A file of a form, with the name of its field. */
export interface FormFile extends StagedFile {
  readonly field: string;
}

interface Downloads {
  readonly fields: ReadonlyMap<string, string>;
  readonly folder: string;
  readonly reaches: Reaches;
}

/**
 * @returns the files, in the order of the entries
 * @throws GotenbergError 400 for an invalid entry or a failed download, 403 for an address that is not allowed, 413 for
 * too many bytes
 */
export const downloadedFiles = async ({ fields, folder, reaches }: Downloads): Promise<readonly FormFile[]> => {
  const list = entriesOf(json(fields, "downloadFrom") ?? []);
  const deadline = AbortSignal.timeout(DOWNLOADS_MS_MAX);
  const budget = { bytes: BYTES_MAX };
  const files: FormFile[] = [];
  for (let start = 0; start < list.length; start += CONCURRENT_MAX) {
    const settled = await Promise.allSettled(
      list.slice(start, start + CONCURRENT_MAX).map(async (entry, index) => {
        const path = join(folder, `download-${start + index + 1}`);
        const name = await stored(entry, path, { reaches, deadline, budget });
        return { name, path, field: fieldOf(entry) };
      }),
    );
    for (const one of settled) {
      if (one.status === "rejected") {
        throw one.reason;
      }
      files.push(one.value);
    }
  }
  return files;
};

const entriesOf = (value: unknown): readonly Entry[] => {
  const { data = [], error } = entries.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) {
    throw new GotenbergError(
      400,
      `Invalid 'downloadFrom' form field value: ${issue.path.join(".") || "value"}: ${issue.message}.`,
    );
  }
  if (data.length > ENTRIES_MAX) {
    throw new GotenbergError(400, `Invalid 'downloadFrom' form field value: more than ${ENTRIES_MAX} entries.`);
  }
  return data;
};

const fieldOf = ({ embedded, field }: Entry): string =>
  embedded === true || field === "embedded" ? "embeds" : field === "watermark" || field === "stamp" ? field : "files";

interface Transfer {
  readonly reaches: Reaches;
  readonly deadline: AbortSignal;
  /** The remaining bytes of all downloads of the form. */
  readonly budget: { bytes: number };
}

/** Stores a download. @returns its filename */
const stored = async (entry: Entry, path: string, { reaches, deadline, budget }: Transfer): Promise<string> => {
  const { url, extraHttpHeaders } = entry;
  try {
    deadline.throwIfAborted();
    const { content, filename } = await download({
      url,
      headers: extraHttpHeaders ?? {},
      bytesMax: budget.bytes,
      reaches,
      deadline,
    });
    await pipeline(within(budget, content), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return safeFilename(filename ?? nameIn(url));
  } catch (error) {
    throw asFormError(url, error);
  }
};

const within = async function* (
  budget: Transfer["budget"],
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    budget.bytes -= chunk.length;
    if (budget.bytes < 0) {
      throw new DownloadError("payload_too_large", `The files exceed the limit of ${BYTES_MAX} bytes together.`);
    }
    yield chunk;
  }
};

const nameIn = (url: string): string => basename(new URL(url).pathname) || "file";

const STATUSES: Readonly<Record<string, number>> = { address_refused: 403, payload_too_large: 413 };

/** The message has no query: it may be secret. */
const asFormError = (url: string, error: unknown): GotenbergError => {
  const { origin, pathname } = new URL(url);
  const isKnown = error instanceof DownloadError;
  const reason = isKnown ? error.message : "The downloads took too long.";
  if (!isKnown && !(error instanceof DOMException)) {
    throw error;
  }
  const status = isKnown ? (STATUSES[error.code] ?? 400) : 400;
  return new GotenbergError(status, `Unable to download file from '${origin}${pathname}': ${reason}`, { cause: error });
};
