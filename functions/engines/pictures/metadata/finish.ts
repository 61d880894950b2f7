import type { Options } from "../../../domain/conversions/options.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { BytesResult } from "../../core/engine.ts";
import type { Block } from "./block.ts";
import { type ChangeBlock, changeMetadata, changeMetadataOfBytes } from "./blocks.ts";
import { hasGps, removeGps } from "./exif-location.ts";
import { hasIptcLocation, removeIptcLocation } from "./iptc.ts";
import { hasXmpLocation, removeAppended, removeXmpLocation } from "./xmp.ts";

/** A written image whose metadata was copied from the source. */
export interface Written {
  readonly output: string;
  readonly to: FormatId;
  readonly options: Pick<Options, "strip_metadata">;
}

/**
 * Checks the metadata that an encoder wrote. It removes what describes images or videos that only the source contained,
 * and the location if requested.
 *
 * @returns a warning if the result contains the location
 */
export const finishMetadata = ({ output, ...written }: Written): Warning[] =>
  finish(written, (change) => changeMetadata(output, written.to, change));

/** The same for an image in memory. @returns the changed image in addition */
export const finishMetadataBytes = (written: Buffer, how: Omit<Written, "output">): BytesResult => {
  let bytes = written;
  const warnings = finish(how, (change) => {
    bytes = changeMetadataOfBytes(written, how.to, change);
  });
  return { bytes, warnings };
};

const finish = (
  { options: { strip_metadata = "none" } }: Pick<Written, "options">,
  changeBlocks: (change: ChangeBlock) => void,
): Warning[] => {
  if (strip_metadata === "all") {
    return [];
  }
  let isLocated = false;
  changeBlocks((kind, bytes) => {
    if (kind === "xmp") {
      removeAppended(bytes);
    }
    if (strip_metadata === "gps") {
      REMOVE[kind](bytes);
    } else {
      isLocated ||= FIND[kind](bytes);
    }
  });
  return isLocated ? [LOCATION_WARNING] : [];
};

const FIND: Readonly<Record<Block["kind"], (bytes: Buffer) => boolean>> = {
  exif: hasGps,
  xmp: hasXmpLocation,
  iptc: hasIptcLocation,
};

const REMOVE: Readonly<Record<Block["kind"], (bytes: Buffer) => void>> = {
  exif: removeGps,
  xmp: removeXmpLocation,
  iptc: removeIptcLocation,
};

const LOCATION_WARNING: Warning = {
  code: "location_kept",
  detail:
    "The result contains the location of the photo. `strip_metadata` removes it: `gps` only the location, `all` all " +
    "metadata.",
};
