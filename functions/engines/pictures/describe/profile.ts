/** A color profile (ICC.1:2022). */
export interface Profile {
  readonly name: string | null;
  /** `RGB`, `GRAY`, `CMYK`, `Lab`. */
  readonly color_space: string;
  readonly version: string;
}

const HEADER_BYTES = 128;
const TAGS_MAX = 100;

/** @returns the name, the colors and the version of a profile; undefined if it is not one */
export const readProfile = (profile: Buffer): Profile | undefined =>
  profile.length < HEADER_BYTES + 4 || profile.toString("latin1", 36, 40) !== "acsp"
    ? undefined
    : {
        name: nameOf(profile) ?? null,
        color_space: profile.toString("latin1", 16, 20).trim(),
        version: `${profile[8]}.${(profile[9] ?? 0) >> 4}`,
      };

const nameOf = (profile: Buffer): string | undefined => {
  const count = Math.min(profile.readUInt32BE(HEADER_BYTES), TAGS_MAX);
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + 4 + index * 12;
    if (at + 12 <= profile.length && profile.toString("latin1", at, at + 4) === "desc") {
      const start = profile.readUInt32BE(at + 4);
      return textOf(profile.subarray(start, start + profile.readUInt32BE(at + 8)));
    }
  }
  return undefined;
};

/** Version 2 has ASCII, version 4 a list of texts in UTF-16 for several languages, of which the first one is taken. */
const textOf = (tag: Buffer): string | undefined => {
  const type = tag.toString("latin1", 0, 4);
  if (type === "desc" && tag.length > 12) {
    return clean(tag.toString("latin1", 12, 12 + tag.readUInt32BE(8)));
  }
  if (type === "mluc" && tag.length >= 28) {
    const [length, start] = [tag.readUInt32BE(20), tag.readUInt32BE(24)];
    return clean(new TextDecoder("utf-16be").decode(tag.subarray(start, start + length)));
  }
  return undefined;
};

const clean = (text: string): string => text.replace(/\0[\s\S]*$/, "").trim();
