import type { Options } from "../../../domain/conversions/options.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { Source } from "./source.ts";

/** Names of tags with the place of a recording; phones write several of them. */
const LOCATION = /location/i;

const locationTags = ({ tags }: Source): string[] => Object.keys(tags).filter((name) => LOCATION.test(name));

/** @returns ffmpeg's arguments that remove the location and keep all other tags */
export const locationArguments = (source: Source): string[] =>
  locationTags(source).flatMap((name) => ["-metadata", `${name}=`]);

/** Formats to which ffmpeg writes the location. */
const LOCATED: readonly FormatId[] = ["mp4", "m4v", "mov", "3gp", "3g2", "mkv", "webm"];

/** @returns a warning if a video in the target format contains the location */
export const locationWarnings = (source: Source, to: FormatId, { strip_metadata = "none" }: Options): Warning[] =>
  strip_metadata === "none" && LOCATED.includes(to) && locationTags(source).length > 0 ? [LOCATION_WARNING] : [];

const LOCATION_WARNING: Warning = {
  code: "location_kept",
  detail:
    "The result contains the location of the recording. `strip_metadata` removes it: `gps` only the location, `all` " +
    "all tags.",
};
