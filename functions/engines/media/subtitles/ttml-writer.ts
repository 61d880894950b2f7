import { xmlText } from "../../data/text/xml.ts";
import type { Writer } from "./codec.ts";
import type { Cue, Run } from "./cue.ts";
import { clockOf } from "./times.ts";

/** TTML1, as supported by players and editors: one region for each position in use. */
export const writeTtml: Writer = ({ title, cues }) => {
  const places = [...new Set(cues.map(({ place = 2 }) => place))].sort();
  const metadata = title === undefined ? "" : `\n    <metadata><ttm:title>${xmlText(title)}</ttm:title></metadata>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="">
  <head>${metadata}
    <layout>${places.map(region).join("")}
    </layout>
  </head>
  <body>
    <div>${cues.map(paragraph).join("")}
    </div>
  </body>
</tt>
`;
};

const COLUMNS = ["left", "center", "right"] as const;
const ROWS = ["after", "center", "before"] as const;

const region = (place: number): string => {
  const [column, row] = [COLUMNS[(place - 1) % 3], ROWS[Math.floor((place - 1) / 3)]];
  return `\n      <region xml:id="r${place}" tts:origin="10% 10%" tts:extent="80% 80%" tts:textAlign="${column}" tts:displayAlign="${row}"/>`;
};

const CLOCK = { point: ".", fractionDigits: 3, hourDigits: 2 } as const;

const paragraph = ({ start, end, runs, place = 2 }: Cue): string => {
  const times = `begin="${clockOf(start, CLOCK)}" end="${clockOf(end, CLOCK)}"`;
  return `\n      <p ${times} region="r${place}" xml:space="preserve">${runs.map(span).join("")}</p>`;
};

const span = ({ text, bold, italic, underline, color }: Run): string => {
  const content = text.split("\n").map(xmlText).join("<br/>");
  const style = [
    bold ? ' tts:fontWeight="bold"' : "",
    italic ? ' tts:fontStyle="italic"' : "",
    underline ? ' tts:textDecoration="underline"' : "",
    color === undefined ? "" : ` tts:color="${color}"`,
  ].join("");
  return style === "" ? content : `<span${style}>${content}</span>`;
};
