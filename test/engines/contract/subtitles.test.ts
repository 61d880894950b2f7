import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { CUES, type SampleCue } from "../support/cues.ts";
import { MEDIA_CUES } from "../support/media.ts";
import { withTool } from "../support/tools.ts";
import { type Check, type Checks, contract } from "./contract.ts";

/** The written form of a cue in each format: start, end and text, in this order. */
const SHAPES: Partial<Record<FormatId, RegExp>> = {
  srt: /^\d+\n(\S+) --> (\S+)\n([\s\S]+?)\n(?:\n|$)/gm,
  vtt: /^(\S+) --> (\S+).*\n([\s\S]+?)\n(?:\n|$)/gm,
  sbv: /^([\d:.]+),([\d:.]+)\n([\s\S]+?)\n(?:\n|$)/gm,
  ass: /^Dialogue: 0,([^,]+),([^,]+),Default,,0,0,0,,(.*)$/gm,
  ttml: /<p begin="([^"]+)" end="([^"]+)"[^>]*>([\s\S]*?)<\/p>/g,
  lrc: /^\[([\d:.]+)\]()(.+)$/gm,
};

const msOf = (clock: string): number =>
  Math.round(clock.split(":").reduce((sum, part) => sum * 60 + Number(part.replace(",", ".")), 0) * 1_000);

/** Formats that can escape `<` and `&`. */
const MARKED: readonly FormatId[] = ["vtt", "ttml"];

const plain = (text: string, to: FormatId): string => {
  const lines = text.replace(/<br\/>|\\N/g, "\n").replace(/<\/?(?:i|span)\b[^>]*>|\{\\[^}]*\}/g, "");
  return MARKED.includes(to) ? lines.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") : lines;
};

/** Lyrics have one line per cue and no end times. */
const isLyrics = (...formats: FormatId[]): boolean => formats.includes("lrc");

const sameCues: Check = ({ path, from, to }) => {
  const text = readFileSync(path, "utf8");
  const cues = [...text.matchAll(SHAPES[to] ?? /$^/g)].map(([, start = "", end = "", words = ""]) => ({
    start: msOf(start),
    end: isLyrics(from, to) ? 0 : msOf(end),
    text: plain(words, to),
  }));
  const isFilm = formatOf(from).family === "video";
  const wanted: readonly SampleCue[] = isFilm ? MEDIA_CUES : CUES;
  const expected = wanted.map(({ start, end, text: words }) => ({
    start,
    end: isLyrics(from, to) ? 0 : end,
    text: isLyrics(from, to) ? words.replaceAll("\n", " ") : words,
  }));
  expect(cues).toEqual(expected);
  if (!isFilm && !["sbv", "lrc"].includes(from) && !["sbv", "lrc"].includes(to)) {
    expect(text, "italics are kept").toMatch(/<i>Zwölf|\{\\i1\}Zwölf|fontStyle="italic">Zwölf/);
  }
};

const checks: Checks = {
  srt: sameCues,
  vtt: sameCues,
  ass: sameCues,
  sbv: sameCues,
  lrc: sameCues,
  ttml: async (result) => {
    await sameCues(result);
    if (withTool("xmllint")) {
      execFileSync("xmllint", ["--noout", "--nonet", result.path]);
    }
  },
};

contract("subtitle", checks);
