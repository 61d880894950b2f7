import type { Anyform } from "../../../../client/index.ts";
import { fetchResult, type Row } from "../rows.ts";

/** What can be previewed: files that the browser displays, and pages and images that the service converts to JPEG. */

export type PreviewKind = "audio" | "image" | "text" | "video";

export interface Preview {
  readonly name: string;
  readonly kind: PreviewKind;
  /** Whether the service creates it, which counts as one request. */
  readonly isConverted: boolean;
  /** @throws AnyformError */
  load(client: Anyform): Promise<Blob>;
}

/** Images that browsers can display. Larger ones take too long to decode. */
const IMAGES = /^image\/(?:apng|avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon|vnd\.microsoft\.icon)$/;
/** Images that only some browsers display: Safari those of phones. Others show an icon. */
const IMAGES_OF_SOME = /^image\/(?:heic|heif|jxl|jp2|tiff)$/;
const TEXTS = /^(?:text\/(?!html)|application\/(?:json|xml|x-yaml|yaml|toml|x-subrip|geo\+json)$)/;
const IMAGE_BYTES_MAX = 50_000_000;
const TEXT_BYTES_MAX = 2_000_000;
const MEDIA_BYTES_MAX = 200_000_000;

/** A file up to this size is converted with one request (the client's `singleCallBytesMax`). */
const CONVERTED_BYTES_MAX = 4_500_000;
const CONVERTED_FAMILIES: ReadonlySet<string> = new Set(["image", "vector"]);
const CONVERTED_WIDTH = 1_000;
const CONVERTED_DPI = 96;

/** @param canPlay whether the browser plays a media type */
const kindOf = (
  mediaType: string,
  bytes: number,
  canPlay: (type: string) => boolean = browserPlays,
): PreviewKind | undefined => {
  const [type = ""] = mediaType.split(";");
  if (IMAGES.test(type)) {
    return bytes <= IMAGE_BYTES_MAX ? "image" : undefined;
  }
  if (TEXTS.test(type)) {
    return bytes <= TEXT_BYTES_MAX ? "text" : undefined;
  }
  const family = /^(audio|video)\//.exec(type)?.[1];
  return bytes <= MEDIA_BYTES_MAX && (family === "audio" || family === "video") && canPlay(type) ? family : undefined;
};

/** @returns whether to try to display a file as a small picture */
export const mayShow = ({ type, size }: Blob): boolean =>
  kindOf(type, size) === "image" || (IMAGES_OF_SOME.test(type) && size <= IMAGE_BYTES_MAX);

const browserPlays = (type: string): boolean => document.createElement("video").canPlayType(type) !== "";

/** @returns the preview of a row's result; without a result, of its file; undefined if there is none */
export const previewOf = (row: Row, isMember: boolean): Preview | undefined =>
  row.result.value === undefined ? ofSource(row, isMember) : ofResult(row, isMember);

const ofResult = (row: Row, isMember: boolean): Preview | undefined => {
  const result = row.result.value;
  if (result === undefined) {
    return undefined;
  }
  const { name, mediaType, size } = result.file;
  const load = (): Promise<Blob> => fetchResult(result);
  const kind = kindOf(mediaType, size);
  if (kind !== undefined) {
    return { name, kind, isConverted: false, load };
  }
  const format = row.chosen.value?.format;
  const isZip = mediaType === "application/zip";
  return isMember && format !== undefined && !isZip && isConvertible(format, size)
    ? converted(row, name, async (client) => firstPage(client, new File([await load()], name), format.id))
    : undefined;
};

const ofSource = (row: Row, isMember: boolean): Preview | undefined => {
  const { source, name, format } = row;
  if (source.kind !== "file") {
    return undefined;
  }
  const { file } = source;
  const kind = kindOf(file.type, file.size);
  if (kind !== undefined) {
    return { name, kind, isConverted: false, load: async () => file };
  }
  const isTarget = format.value?.targets.some((target) => target.format.id === "jpg") ?? false;
  return isMember && isTarget && format.value !== undefined && isConvertible(format.value.format, file.size)
    ? converted(row, name, (client) => firstPage(client, file, format.value?.format.id ?? ""))
    : undefined;
};

const isConvertible = ({ id, family }: { readonly id: string; readonly family: string }, bytes: number): boolean =>
  (id === "pdf" || CONVERTED_FAMILIES.has(family)) && bytes > 0 && bytes <= CONVERTED_BYTES_MAX;

/** A preview from the service is kept in the row, so that it is counted once. */
const converted = (row: Row, name: string, create: (client: Anyform) => Promise<Blob>): Preview => ({
  name,
  kind: "image",
  isConverted: true,
  load: async (client) => {
    row.thumbnail.value ??= await create(client);
    return row.thumbnail.value;
  },
});

/** @returns the first page or the image as a small JPEG */
const firstPage = async (client: Anyform, file: File, source: string): Promise<Blob> => {
  const { options } = await client.conversion(source, "jpg");
  const { properties = {} } = options as { readonly properties?: object };
  const small = { pages: "1", dpi: CONVERTED_DPI, width: CONVERTED_WIDTH };
  const supported = Object.entries(small).filter(([option]) => Object.hasOwn(properties, option));
  const result = await client.convert(file, "jpg", { otherOptions: Object.fromEntries(supported) });
  return result.blob();
};
