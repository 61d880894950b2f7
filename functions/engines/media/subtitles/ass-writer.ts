import type { Writer } from "./codec.ts";
import { toBgr } from "./colors.ts";
import type { Cue, Style } from "./cue.ts";
import { clockOf } from "./times.ts";

/** Advanced SubStation Alpha, with times in hundredths of a second. */
export const writeAss: Writer = ({ title, cues }) =>
  `${HEAD.replace("Title: ", `Title: ${title?.replace(/\s+/g, " ") ?? ""}`)}${cues.map(dialogue).join("")}`;

const HEAD = `[Script Info]
Title: 
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

const CLOCK = { point: ".", fractionDigits: 2, hourDigits: 1 } as const;

const dialogue = ({ start, end, runs, place = 2, speaker = "" }: Cue): string => {
  let before: Style = {};
  const where = place === 2 ? "" : `{\\an${place}}`;
  const pieces = runs.map((run) => {
    const change = changes(before, run);
    before = run;
    return `${change === "" ? "" : `{${change}}`}${escaped(run.text)}`;
  });
  const name = speaker.replace(/[,\n]/g, " ");
  return `Dialogue: 0,${clockOf(start, CLOCK)},${clockOf(end, CLOCK)},Default,${name},0,0,0,,${where}${pieces.join("")}\n`;
};

/** @returns the tags that switch from one style to the next */
const changes = (before: Style, { bold, italic, underline, color }: Style): string =>
  [
    Boolean(bold) === Boolean(before.bold) ? "" : `\\b${bold ? 1 : 0}`,
    Boolean(italic) === Boolean(before.italic) ? "" : `\\i${italic ? 1 : 0}`,
    Boolean(underline) === Boolean(before.underline) ? "" : `\\u${underline ? 1 : 0}`,
    color === before.color ? "" : color === undefined ? "\\c" : `\\c&H${toBgr(color)}&`,
  ].join("");

/** A brace would open a tag; after a backslash, players display it. */
const escaped = (text: string): string =>
  text.replaceAll("{", "\\{").replaceAll("}", "\\}").replaceAll("\n", "\\N").replaceAll("\u00a0", "\\h");
