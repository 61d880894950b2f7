import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { run } from "../tools.ts";
import type { MadeSource } from "./made.ts";

/** Pictures, drawings, sound and films with what converters lose: labels, tags, metadata, new codecs, transparency. */

const DIAGRAM = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160" viewBox="0 0 400 160">
<rect x="10" y="20" width="160" height="60" fill="#ececff" stroke="#9370db"/>
<foreignObject x="10" y="20" width="160" height="60"><div xmlns="http://www.w3.org/1999/xhtml" style="font:24px sans-serif;text-align:center;line-height:60px">Start order</div></foreignObject>
<path d="M170 50 H230" stroke="#333" stroke-width="4"/><rect x="230" y="20" width="160" height="60" fill="#ececff" stroke="#9370db"/>
<foreignObject x="230" y="20" width="160" height="60"><div xmlns="http://www.w3.org/1999/xhtml" style="font:24px sans-serif;text-align:center;line-height:60px">Ship goods</div></foreignObject></svg>`;

const CURVED = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><defs><path id="arc" d="M20 150 Q150 0 280 150" fill="none"/>
<linearGradient id="sky"><stop stop-color="#06c"/><stop offset="1" stop-color="#fc0"/></linearGradient></defs>
<rect width="300" height="200" fill="url(#sky)" opacity="0.4"/><text font-family="sans-serif" font-size="30" font-weight="bold"><textPath href="#arc">Text on a curve</textPath></text>
<text x="20" y="190" font-family="sans-serif" font-size="20">Plain label</text></svg>`;

const GRADIENT = (alpha: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><defs><linearGradient id="g"><stop stop-color="#c03"/>
<stop offset="1" stop-color="#0af" stop-opacity="${alpha}"/></linearGradient></defs><rect width="480" height="320" fill="url(#g)"/><circle cx="240" cy="160" r="90" fill="#fff"/></svg>`);

/** A photo that a camera took sideways, with its place. */
const photo = (path: string) =>
  sharp(GRADIENT("1"))
    .flatten()
    .jpeg({ quality: 92 })
    .withExif({
      IFD0: { Make: "Example", Model: "Camera 1", Orientation: "6" },
      IFD2: { DateTimeOriginal: "2026:01:05 10:00:00" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "53/1 33/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "9/1 59/1 0/1" },
    })
    .toFile(path);

const TAGS = [
  "title=Song",
  "artist=Ada",
  "album=Works",
  "genre=Jazz",
  "date=2024",
  "track=3/9",
  "album_artist=Various",
];
const QUIET = ["-nostdin", "-v", "error", "-y"];
const TONE = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"];
const FILM = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=2"];

const sound = (format: MadeSource["format"], ...codec: string[]): MadeSource => ({
  name: "tagged",
  format,
  write: (path) => run("ffmpeg", [...QUIET, ...TONE, ...TAGS.flatMap((tag) => ["-metadata", tag]), ...codec, path]),
});

const film = (name: string, format: MadeSource["format"], codecs: string): MadeSource => ({
  name,
  format,
  write: (path) => run("ffmpeg", [...QUIET, ...FILM, ...TONE, ...codecs.split(" "), "-shortest", path]),
});

export const madeMedia: readonly MadeSource[] = [
  { name: "diagram", format: "svg", content: () => DIAGRAM },
  { name: "curved", format: "svg", content: () => CURVED },
  { name: "sideways", format: "jpg", write: photo },
  { name: "transparent", format: "png", write: (path) => sharp(GRADIENT("0")).png().toFile(path) },
  { name: "deep", format: "png", write: (path) => sharp(GRADIENT("1")).toColorspace("rgb16").png().toFile(path) },
  { name: "palette", format: "gif", write: (path) => sharp(GRADIENT("1")).gif().toFile(path) },
  { name: "transparent", format: "webp", write: (path) => sharp(GRADIENT("0")).webp().toFile(path) },
  {
    name: "cmyk",
    format: "tiff",
    write: (path) => sharp(GRADIENT("1")).flatten().toColorspace("cmyk").tiff().toFile(path),
  },
  sound("flac"),
  sound("m4a", "-c:a", "aac"),
  sound("wav"),
  sound("ogg", "-c:a", "libvorbis"),
  sound("mp3", "-b:a", "128k"),
  film("hevc", "mov", "-c:v libx265 -x265-params log-level=none -tag:v hvc1 -c:a aac"),
  film("ac3", "mkv", "-c:v libx264 -pix_fmt yuv420p -c:a ac3"),
  film("mpeg4", "avi", "-c:v mpeg4 -c:a libmp3lame"),
  {
    name: "names",
    format: "zip",
    write: async (path) => {
      const folder = `${path}-files`;
      await run("mkdir", ["-p", `${folder}/päth/deep`]);
      await writeFile(`${folder}/päth/deep/übung 1.txt`, "Ü");
      await writeFile(`${folder}/empty.txt`, "");
      await run("bsdtar", ["-a", "-cf", path, "-C", folder, "."]);
    },
  },
];
