/** Containers of audio, video or both: the streams in their headers determine the format. */

/** How the first page of an Ogg stream starts. */
const OGG_FILMS = ["\u0080theora", "\u0001video\0", "BBCD", "OVP80"];
const OGG_SOUNDS = [
  ["OpusHead", "opus"],
  ["Speex   ", "spx"],
] as const;

/** Maximum number of inspected Ogg streams. */
const OGG_STREAMS_MAX = 64;

/**
 * @returns `ogv` if there is a video stream, otherwise the format of the audio codec; `ogg` for all others (RFC 3533)
 */
export const oggContents = (view: Buffer): string[] => {
  const streams = oggStreams(view);
  if (streams.length === 0) {
    return [];
  }
  if (streams.some((begin) => OGG_FILMS.some((mark) => begin.startsWith(mark)))) {
    return ["ogv"];
  }
  const sounds = streams.filter((begin) => !begin.startsWith("fishead"));
  const codec = OGG_SOUNDS.find(([mark]) => sounds.length > 0 && sounds.every((begin) => begin.startsWith(mark)));
  return [codec?.[1] ?? "ogg"];
};

/** @returns how the streams start: their first pages come before all others, and are marked */
const oggStreams = (view: Buffer): string[] => {
  const streams: string[] = [];
  let at = 0;
  while (streams.length < OGG_STREAMS_MAX && view.toString("latin1", at, at + 5) === "OggS\0") {
    const segments = view[at + 26] ?? 0;
    const body = at + 27 + segments;
    if (((view[at + 5] ?? 0) & 2) === 0) {
      break;
    }
    streams.push(view.toString("latin1", body, body + 8));
    at = body + view.subarray(at + 27, body).reduce((sum, bytes) => sum + bytes, 0);
  }
  return streams;
};

/** @returns `webm`, or `mkv` or `mka` by the tracks; nothing for other EBML documents (RFC 8794, RFC 9559) */
export const ebmlContents = (view: Buffer): string[] => {
  if (view.length < 5 || view.readUInt32BE(0) !== 0x1a45dfa3) {
    return [];
  }
  // The element is 0x4282, its size takes one byte, and the header is never longer than a few dozen bytes.
  const type = /\x42\x82[\x80-\xff]([a-z]*)/.exec(view.toString("latin1", 5, 100))?.[1] ?? "matroska";
  if (type !== "matroska") {
    return type === "webm" ? ["webm"] : [];
  }
  const codecs = view.toString("latin1").match(/\x86[\x82-\xbf][VAS]_[A-Z]/g) ?? [];
  if (codecs.length === 0) {
    return ["matroska", "mkv"];
  }
  const [films, sounds] = ["V_", "A_"].map((kind) => codecs.some((codec) => codec.includes(kind)));
  return [sounds === true && films === false ? "mka" : "mkv"];
};

const ASF_HEADER = Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex");
const ASF_STREAM = Buffer.from("9107dcb7b7a9cf118ee600c00c205365", "hex");
const ASF_SOUND = "409e69f84d5bcf11a8fd00805f5c442b";
const ASF_FILM = "c0ef19bc4d5bcf11a8fd00805f5c442b";

/** @returns `wmv` if a video stream is described, `wma` if only audio is, otherwise `asf` (ASF specification, 3.3) */
export const windowsContents = (view: Buffer): string[] => {
  if (!view.subarray(0, 16).equals(ASF_HEADER)) {
    return [];
  }
  const types = [];
  for (let at = view.indexOf(ASF_STREAM); at !== -1; at = view.indexOf(ASF_STREAM, at + 16)) {
    types.push(view.toString("hex", at + 24, at + 40));
  }
  return [types.includes(ASF_FILM) ? "wmv" : types.includes(ASF_SOUND) ? "wma" : "asf"];
};

/** Boxes that start a video from before `ftyp` existed, or follow it (QuickTime File Format, "Overview"). */
const MOVIE_BOXES = ["moov", "mdat", "moof", "wide", "free", "skip", "pnot", "uuid", "sidx", "styp", "pdin", "mfra"];
/** At least one of these is required: other files of boxes are not videos. */
const FILM_BOXES = ["moov", "mdat", "moof"];
/** @returns `mov` for video boxes without a brand, `mp4` for video boxes with an unknown brand */
export const boxContents = (view: Buffer): string[] => {
  const boxes = boxesOf(view);
  const branded = boxes[0] === "ftyp";
  const rest = branded ? boxes.slice(1) : boxes;
  const film = rest.some((box) => FILM_BOXES.includes(box)) && rest.every((box) => MOVIE_BOXES.includes(box));
  return film ? [branded ? "mp4" : "mov"] : [];
};

/** Maximum number of inspected boxes. */
const BOXES_MAX = 8;

/** @returns the names of the boxes that start in the head, up to the first invalid name */
const boxesOf = (view: Buffer): string[] => {
  const names: string[] = [];
  let at = 0;
  while (at + 8 <= view.length && names.length < BOXES_MAX) {
    const name = view.toString("latin1", at + 4, at + 8);
    const size = view.readUInt32BE(at);
    if (!/^[a-z]{4}$/.test(name)) {
      break;
    }
    names.push(name);
    // Size 0: the box extends to the end of the file. Size 1: the size is in the eight bytes after the name.
    const large = size === 1 && at + 16 <= view.length ? Number(view.readBigUInt64BE(at + 8)) : size;
    at = large < 8 ? view.length : at + large;
  }
  return names;
};
