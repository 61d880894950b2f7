import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { containers } from "./containers.ts";
import type { AudioTrack, Tags } from "./source.ts";
import type { Wanted } from "./task.ts";

/** @returns warnings about tags and chapters of the source that the target's muxer does not store */
export const tagWarnings = ({ source, options, to }: Wanted, track: AudioTrack | undefined): Warning[] => {
  const { tags: stored, losesChapters = false } = containers[to] ?? {};
  if (options.strip_metadata === "all" || !formatOf(to).keeps.includes("metadata")) {
    return [];
  }
  const lost = stored === undefined ? [] : namesOf({ ...track?.tags, ...source.tags }, stored);
  return [
    ...(lost.length === 0 ? [] : [tagsWarning(formatOf(to).name, lost)]),
    ...(losesChapters && source.chapters > 0 ? [CHAPTERS_WARNING] : []),
  ];
};

/** Tags of the file itself, not of its content: ffmpeg writes its own, and players derive them. */
const TECHNICAL =
  /^(?:encoder|encoded_by|encoder_options|encoding.*|tsse|tlen|tenc|tsiz|tflt|duration.*|language|handler_name|vendor_id|creation_time|timecode|major_brand|minor_version|compatible_brands|id3v2_priv\..*|itun.*|wm\/.*|isvbr|bps.*|number_of_.*|_statistics.*|iscommercial|deviceconformancetemplate|wmfsdk.*|com\..*)$/;

/** Names of the same tag in other formats. */
const SYNONYMS: Readonly<Record<string, string>> = {
  year: "date",
  tracktotal: "track",
  totaltracks: "track",
  disctotal: "disc",
  totaldiscs: "disc",
  "lyrics-eng": "lyrics",
  "lyrics-xxx": "lyrics",
};

/** Names come from the file; a longer one or one with other characters is not printed. */
const PRINTABLE = /^[\w .:/-]{1,40}$/;

const namesOf = (tags: Tags, stored: readonly string[]): string[] =>
  Object.keys(tags).filter(
    (name) => !(TECHNICAL.test(name) || stored.includes(SYNONYMS[name] ?? name)) && PRINTABLE.test(name),
  );

/** Maximum number of names in a warning. */
const NAMES_MAX = 20;

const tagsWarning = (format: string, names: readonly string[]): Warning => {
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  return {
    code: "tags_dropped",
    detail: `${format} does not store these tags: ${names.slice(0, NAMES_MAX).join(", ")}${more}.`,
  };
};

const CHAPTERS_WARNING: Warning = { code: "chapters_dropped", detail: "The chapters were lost." };
