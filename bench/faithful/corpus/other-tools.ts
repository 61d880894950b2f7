import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isInstalled, run, runOffice } from "../tools.ts";

/** A program that may open a file which the service refuses. */
interface Opener {
  readonly tool: string;
  /** Folders of the corpus with files for it. */
  readonly families: readonly string[];
  /** Extensions for it. LibreOffice, for example, opens any text as text. @default all */
  readonly extensions?: readonly string[];
  /** Opens the file. Counts as opened when it exits with 0 and leaves a file with content in the folder, or prints text. */
  readonly open: (input: string, folder: string) => Promise<string>;
}

const toFile =
  (program: string, args: (input: string, folder: string) => readonly string[]): Opener["open"] =>
  async (input, folder) => {
    await run(program, args(input, folder), folder);
    return "";
  };

const OFFICE =
  ".doc .dot .dotx .docx .rtf .odt .sxw .wpd .wps .wri .xls .xlsm .xlsx .ods .sxc .wk1 .slk .ppt .pptm .pptx";
const DRAWN = ".odp .sxi .odg .sxd .vsd .vsdx .pub .cdr .dxf .fodt .numbers .pages .key .emf .wmf .pict .eps .xbm";
const MARKUP = ".md .rst .org .tex .docbook .ipynb .fb2 .epub .docx .odt .rtf .html .bib .csv .tsv";
const BOOKS = ".azw3 .mobi .epub .fb2 .lit .lrf .pdb .chm .djvu .cbr .cbz .rtf .snb .tcr";

const OPENERS: readonly Opener[] = [
  {
    tool: "soffice",
    families: ["document", "image", "data", "model"],
    extensions: [...OFFICE.split(" "), ...DRAWN.split(" "), ".dbf", ".csv"],
    open: async (input, folder) => {
      await runOffice(["--convert-to", "pdf", "--outdir", folder, input]);
      return "";
    },
  },
  { tool: "pandoc", families: ["document"], extensions: MARKUP.split(" "), open: (input) => run("pandoc", [input]) },
  {
    tool: "ebook-convert",
    families: ["document"],
    extensions: BOOKS.split(" "),
    open: toFile("ebook-convert", (input, folder) => [input, join(folder, "book.txt")]),
  },
  { tool: "pdftotext", families: ["document"], extensions: [".pdf"], open: (input) => run("pdfinfo", [input]) },
  {
    tool: "convert",
    families: ["image"],
    open: toFile("convert", (input, folder) => [`${input}[0]`, join(folder, "picture.png")]),
  },
  {
    tool: "gs",
    families: ["image"],
    extensions: [".eps", ".ps"],
    open: toFile("gs", (input, folder) => [
      ..."-q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=png16m".split(" "),
      "-o",
      join(folder, "a.png"),
      input,
    ]),
  },
  {
    tool: "JxrDecApp",
    families: ["image"],
    extensions: [".jxr"],
    open: toFile("JxrDecApp", (input, folder) => ["-i", input, "-o", join(folder, "picture.bmp")]),
  },
  {
    tool: "heif-convert",
    families: ["image"],
    extensions: [".heic", ".avif"],
    open: toFile("heif-convert", (input, folder) => [input, join(folder, "picture.png")]),
  },
  {
    tool: "ffmpeg",
    families: ["image"],
    open: toFile("ffmpeg", (input, folder) => [
      ..."-v error -xerror -i".split(" "),
      input,
      "-frames:v",
      "1",
      join(folder, "a.png"),
    ]),
  },
  {
    tool: "ffmpeg",
    families: ["audio"],
    open: toFile("ffmpeg", (input, folder) => [..."-v error -i".split(" "), input, "-vn", join(folder, "sound.wav")]),
  },
  {
    tool: "ffmpeg",
    families: ["video"],
    open: toFile("ffmpeg", (input, folder) => [
      ..."-v error -i".split(" "),
      input,
      "-t",
      "5",
      join(folder, "film.mkv"),
    ]),
  },
  {
    tool: "ffmpeg",
    families: ["subtitle"],
    open: toFile("ffmpeg", (input, folder) => [..."-v error -i".split(" "), input, join(folder, "cues.srt")]),
  },
  {
    tool: "7zz",
    families: ["archive"],
    open: toFile("7zz", (input, folder) => ["x", "-y", "-p", `-o${folder}`, input]),
  },
  { tool: "bsdtar", families: ["archive"], open: toFile("bsdtar", (input, folder) => ["-xf", input, "-C", folder]) },
  {
    tool: "unar",
    families: ["archive"],
    open: toFile("unar", (input, folder) => ["-q", "-p", "", "-o", folder, input]),
  },
  {
    tool: "ogr2ogr",
    families: ["data", "model"],
    extensions: [".kml", ".dbf", ".dxf", ".mdb", ".gml", ".gpx"],
    open: toFile("ogr2ogr", (input, folder) => ["-f", "GeoJSON", join(folder, "map.json"), input]),
  },
  {
    tool: "assimp",
    families: ["model"],
    open: toFile("assimp", (input, folder) => ["export", input, join(folder, "model.obj")]),
  },
  { tool: "fc-scan", families: ["font"], open: (input) => run("fc-scan", [input]) },
  { tool: "xmllint", families: ["data"], extensions: [".xml"], open: (input) => run("xmllint", [input]) },
  { tool: "jq", families: ["data"], extensions: [".json", ".jsonl"], open: (input) => run("jq", [".", input]) },
];

/** @returns the installed programs that open the file */
export const openersOf = async (input: string, family: string, folder: string): Promise<string[]> => {
  const extension = extname(input).toLowerCase();
  const found: string[] = [];
  for (const { tool, families, extensions, open } of OPENERS) {
    const fits = families.includes(family) && (extensions?.includes(extension) ?? true);
    if (fits && (await isInstalled(tool)) && (await opens(open, input, join(folder, tool)))) {
      found.push(tool);
    }
  }
  return found;
};

const opens = async (open: Opener["open"], input: string, folder: string): Promise<boolean> => {
  await mkdir(folder, { recursive: true });
  try {
    const printed = await open(input, folder);
    return printed.trim() !== "" || (await hasContent(folder));
  } catch {
    // Any failure, the time limit included, means that this program does not open the file.
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const hasContent = async (folder: string): Promise<boolean> => {
  for (const name of await readdir(folder, { recursive: true })) {
    const entry = await stat(join(folder, name));
    if (entry.isFile() && entry.size > 0) {
      return true;
    }
  }
  return false;
};
