/** Properties of XMP that say where a photo was taken (XMP part 2, 2.4; IPTC Photo Metadata 2023.2). */
const LOCATION = ["\\w+:GPS\\w+", "photoshop:(?:City|State|Country)", "Iptc4xmpCore:(?:Location|CountryCode)"];
const LOCATIONS = [...LOCATION, "Iptc4xmpExt:Location(?:Created|Shown)"];

/**
 * Properties that describe further images or a video in the same file: gain maps (Ultra HDR image format, 1.1), Apple's
 * gain maps, and motion photos. Results contain only one image.
 */
const APPENDED = [
  "hdrgm:\\w+",
  "HDRGainMap:\\w+",
  "G?Container:Directory",
  "GCamera:Mo(?:tionPhoto)\\w*",
  "GCamera:MicroVideo\\w*",
];

/** @returns an expression for the properties, as attributes or as elements, with a value */
const properties = (names: readonly string[]): RegExp => {
  const name = names.join("|");
  return new RegExp(
    `\\s(?:${name})\\s*=\\s*(?:"[^"]*"|'[^']*')|<(${name})(?:\\s[^>]*)?(?:/>|(?<!/)>[\\s\\S]*?</\\1\\s*>)`,
    "g",
  );
};

const [LOCATION_PROPERTIES, APPENDED_PROPERTIES] = [properties(LOCATIONS), properties(APPENDED)];

/** The text of XMP, with a character for each byte: all names are ASCII. */
const textOf = (xmp: Uint8Array): string => Buffer.from(xmp.buffer, xmp.byteOffset, xmp.byteLength).toString("latin1");

const has = (xmp: Uint8Array, expression: RegExp): boolean => textOf(xmp).search(expression) >= 0;

/** Replaces the properties by spaces in place, so that the length stays the same. */
const blank = (xmp: Buffer, expression: RegExp): void => {
  xmp.write(
    textOf(xmp).replaceAll(expression, (found) => " ".repeat(found.length)),
    "latin1",
  );
};

export const hasXmpLocation = (xmp: Uint8Array): boolean => has(xmp, LOCATION_PROPERTIES);
export const removeXmpLocation = (xmp: Buffer): void => blank(xmp, LOCATION_PROPERTIES);

/** Removes what describes gain maps, videos and other images after the first one. */
export const removeAppended = (xmp: Buffer): void => blank(xmp, APPENDED_PROPERTIES);

/** @returns whether XMP describes a gain map after the image */
export const describesGainMap = (xmp: Uint8Array): boolean =>
  /hdrgm:Version|Item:Semantic\s*=\s*["']GainMap|HDRGainMap:/.test(textOf(xmp));

/** @returns whether XMP describes a video after the image */
export const describesMotion = (xmp: Uint8Array): boolean =>
  /GCamera:(?:MotionPhoto|MicroVideo)(?:\s*=\s*["']1|\s*>1)/.test(textOf(xmp));
