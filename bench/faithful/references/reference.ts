import { rename } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import sharp from "sharp";
import { run, runChromium, runOffice } from "../tools.ts";

/** A program that people use for a conversion, with the options that most of them use: none. */
export interface Reference {
  readonly tool: string;
  /** Whether it is a library, not a program. @default false */
  readonly isLibrary?: boolean;
  /** Converts the file. */
  readonly convert: (input: string, output: string) => Promise<unknown>;
}

/** LibreOffice names the result after the source. */
export const soffice: Reference = {
  tool: "soffice",
  convert: async (input, output) => {
    await runOffice(["--convert-to", extname(output).slice(1), "--outdir", dirname(output), input]);
    await rename(join(dirname(output), `${basename(input, extname(input))}${extname(output)}`), output);
  },
};

export const chromium: Reference = {
  tool: "chromium",
  convert: (input, output) => runChromium(["--no-pdf-header-footer", `--print-to-pdf=${output}`, `file://${input}`]),
};

export const pandoc: Reference = {
  tool: "pandoc",
  convert: (input, output) => run("pandoc", ["-s", "--metadata", "title= ", input, "-o", output]),
};

export const calibre: Reference = {
  tool: "ebook-convert",
  convert: (input, output) => run("ebook-convert", [input, output]),
};

export const pdftotext: Reference = {
  tool: "pdftotext",
  convert: (input, output) => run("pdftotext", [input, output]),
};

export const pdftoppm: Reference = {
  tool: "pdftoppm",
  convert: async (input, output) => {
    const stem = output.slice(0, -extname(output).length);
    const format = extname(output) === ".jpg" ? "-jpeg" : "-png";
    await run("pdftoppm", [format, "-r", "150", "-singlefile", input, stem]);
  },
};

/** A library: the fastest and most used one for these formats. */
export const bareSharp: Reference = {
  tool: "sharp",
  isLibrary: true,
  convert: (input, output) => sharp(input).toFile(output),
};

export const magick: Reference = {
  tool: "convert",
  convert: (input, output) => run("convert", [`${input}[0]`, output]),
};

export const heifConvert: Reference = {
  tool: "heif-convert",
  convert: (input, output) => run("heif-convert", [input, output]),
};

export const ffmpeg: Reference = {
  tool: "ffmpeg",
  convert: (input, output) => run("ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", input, output]),
};

export const bsdtar: Reference = {
  tool: "bsdtar",
  convert: (input, output) => run("bsdtar", ["-a", "-cf", output, `@${input}`]),
};

export const ogr2ogr: Reference = {
  tool: "ogr2ogr",
  convert: (input, output) => run("ogr2ogr", [output, input]),
};

export const assimp: Reference = {
  tool: "assimp",
  convert: (input, output) => run("assimp", ["export", input, output]),
};
