import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("subtitles", scratch);

/** @returns the converted text, and the codes of the warnings */
const made = async (input: string | Uint8Array, pair: readonly [FormatId, FormatId], options: Options = {}) => {
  const { path, codes } = await convert(scratch.file(input), pair, options);
  return { text: readFileSync(path, "utf8"), codes };
};

/** @returns the cues as rows of start, end and text */
const cues = async (input: string | Uint8Array, from: FormatId, options: Options = {}) => {
  const { text, codes } = await made(input, [from, "json"], options);
  const rows: { start: string; end: string; text: string; speaker?: string }[] = JSON.parse(text);
  return { rows: rows.map(({ start, end, text: words }) => `${start} ${end} ${words}`), codes };
};

describe("SubRip", () => {
  test("reads files as found in practice: missing numbers and hours, periods, empty lines, no space between cues", async () => {
    const srt =
      "\ufeff1\r\n00:00:01,5 --> 00:00:02.25\r\nfirst\r\n\r\nsecond line\r\n\r\n2\r\n00:03,000-->00:04,000 X1:10 X2:20\r\nno hours\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\n1999\r\n\r\n00:00:07,000 --> 00:00:08,000\r\nno number";
    expect(await cues(srt.replace("-->00:04", " --> 00:04"), "srt")).toEqual({
      rows: [
        "00:00:01.500 00:00:02.250 first\n\nsecond line",
        "00:00:03.000 00:00:04.000 no hours",
        "00:00:05.000 00:00:06.000 1999",
        "00:00:07.000 00:00:08.000 no number",
      ],
      codes: ["positions_dropped"],
    });
  });

  test("skips a cue with invalid times and its text, and counts both lines", async () => {
    const srt =
      "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:0x,000 --> 00:00:04,000\nb\n\n3\n00:00:05,000 --> 00:00:06,000\nc\n";
    const { path, warnings } = await convert(scratch.file(srt), ["srt", "sbv"]);
    expect(readFileSync(path, "utf8")).toBe("0:00:01.000,0:00:02.000\na\n\n0:00:05.000,0:00:06.000\nc\n");
    expect(warnings).toEqual([{ code: "lines_skipped", detail: "Lines that are not subtitles were skipped (2)." }]);
  });

  test("keeps the order of cues, even if they overlap or go back in time", async () => {
    const times = ["00:00:05,000 --> 00:00:09,000", "00:00:01,000 --> 00:00:06,000", "00:00:05,500 --> 00:00:05,600"];
    const srt = times.map((line, index) => `${index + 1}\n${line}\n${index}\n`).join("\n");
    expect((await made(srt, ["srt", "vtt"])).text.match(/\n\d\n/g)).toEqual(["\n0\n", "\n1\n", "\n2\n"]);
    expect((await cues(srt, "srt")).rows).toHaveLength(3);
  });

  test.each([
    [
      "windows-1251",
      Buffer.from("cff0e8e2e5f22c20ece8f02120ddf2ee20f0f3f1f1eae8e920f2e5eaf1f22e", "hex"),
      "Привет, мир! Это русский текст.",
    ],
    ["utf-16le", Buffer.from("字幕 é", "utf16le"), "字幕 é"],
  ])("reads text in %s if the encoding is given", async (encoding, words, expected) => {
    const head = "1\n00:00:01,000 --> 00:00:02,000\n";
    const bytes =
      encoding === "utf-16le"
        ? Buffer.concat([Buffer.from(head, "utf16le"), words])
        : Buffer.concat([Buffer.from(head), words]);
    expect((await cues(bytes, "srt", { encoding })).rows).toEqual([`00:00:01.000 00:00:02.000 ${expected}`]);
  });
});

describe("styles", () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<b>bold <i>both</b></i> <font color="#FF8000">orange</font> <font color=yellow>yellow</font> <u>under</u>\n';

  test("bold, italic, underline, colors and screen areas convert from SubRip to the others", async () => {
    expect((await made(srt, ["srt", "ass"])).text).toContain(
      ",Default,,0,0,0,,{\\an8}{\\b1}bold {\\i1}both{\\b0\\i0} {\\c&H0080FF&}orange{\\c} {\\c&H00FFFF&}yellow{\\c} {\\u1}under\n",
    );
    expect((await made(srt, ["srt", "vtt"])).text).toBe(
      "WEBVTT\n\nSTYLE\n::cue(.colorff8000) { color: #ff8000; }\n\n00:00:01.000 --> 00:00:02.000 line:0\n<b>bold</b> <b><i>both</i></b> <c.colorff8000>orange</c> <c.yellow>yellow</c> <u>under</u>\n",
    );
    expect((await made(srt, ["srt", "ttml"])).text).toContain(
      '<p begin="00:00:01.000" end="00:00:02.000" region="r8" xml:space="preserve"><span tts:fontWeight="bold">bold </span>',
    );
  });

  test.each(["ass", "ttml"] as const)("and convert back from %s unchanged", async (format) => {
    const tidy = (await made(srt, ["srt", "srt"])).text;
    const there = (await made(srt, ["srt", format])).text;
    expect((await made(there, [format, "srt"])).text).toBe(tidy);
  });
});

describe("WebVTT", () => {
  test("reads notes, styles, regions, names, settings, word times and entities", async () => {
    const vtt =
      "WEBVTT - Title\nKind: captions\n\nNOTE a\nb\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:x\n\nintro\n00:01.000 --> 00:02.500 align:start line:0\n<v Fred>Hi &amp; <c.yellow>bye</c> <00:00:01.500>&lt;b&gt;\n\n00:00:03.000 --> 00:00:04.000 position:10%\n- one\n- two\n";
    expect(await made(vtt, ["vtt", "srt"])).toEqual({
      text: '1\n00:00:01,000 --> 00:00:02,500\n{\\an7}Hi & <font color="#ffff00">bye</font> <b>\n\n2\n00:00:03,000 --> 00:00:04,000\n- one\n- two\n',
      codes: [
        "comments_dropped",
        "styles_dropped",
        "positions_dropped",
        "word_times_dropped",
        "title_dropped",
        "speakers_dropped",
      ],
    });
    expect((await made(vtt, ["vtt", "txt"])).text).toBe("Fred: Hi & bye <b>\n- one\n- two\n");
    expect((await made(vtt, ["vtt", "csv"])).text).toBe(
      'start,end,speaker,text\r\n00:00:01.000,00:00:02.500,Fred,Hi & bye <b>\r\n00:00:03.000,00:00:04.000,,"- one\n- two"\r\n',
    );
  });
});

describe("SubStation Alpha", () => {
  const head =
    "[Script Info]\nTitle: T\n\n[V4+ Styles]\nFormat: Name, PrimaryColour, Bold, Italic, Underline, Alignment\nStyle: Default,&H00FFFFFF,0,0,0,2\nStyle: Sign,&H000000FF,-1,0,0,8\n\n[Events]\nFormat: Layer, Start, End, Style, Name, Text\n";

  test("reads styles, overrides, line breaks and commas, and reports lost drawings and comments", async () => {
    const ass = `${head}Comment: 0,0:00:00.00,0:00:01.00,Default,,no\nDialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,{\\i1}a, b{\\i0}\\Nc{note}\nDialogue: 0,0:00:03.00,0:00:04.00,Sign,,{\\pos(1,2)}STOP{\\rDefault} x\nDialogue: 0,0:00:05.00,0:00:06.00,Sign,,{\\p1}m 0 0 l 1 1{\\p0}\nDialogue: 0,0:00:07.00,0:00:08.00,Default,,{\\k20}la {\\k30}la\n`;
    expect(await made(ass, ["ass", "vtt"])).toEqual({
      text: "WEBVTT - T\n\n00:00:01.000 --> 00:00:02.500\n<v Ann><i>a, b</i>\nc\n\n00:00:03.000 --> 00:00:04.000 line:0\n<c.red><b>STOP</b></c> x\n\n00:00:07.000 --> 00:00:08.000\nla la\n",
      codes: ["comments_dropped", "positions_dropped", "drawings_dropped", "word_times_dropped"],
    });
  });
});

describe("TTML", () => {
  const ttml = (attributes: string, body: string) =>
    `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" ${attributes}><head><styling><style xml:id="y" tts:color="yellow" tts:fontStyle="italic"/></styling><layout><region xml:id="top" tts:displayAlign="before"/></layout></head><body>${body}</body></tt>`;

  test("reads clock times, offsets, frames, ticks, durations and nested times", async () => {
    const body =
      '<div begin="10s"><p begin="00:00:01.5" end="00:00:02,5">a</p><p begin="00:00:03:12" dur="500ms">b</p><p begin="50f" end="75f">c</p><p begin="10000t" end="20000t">d</p><p begin="1m" dur="0.1h">e</p></div>';
    expect((await cues(ttml('ttp:frameRate="25" ttp:tickRate="1000"', body), "ttml")).rows).toEqual([
      "00:00:11.500 00:00:12.500 a",
      "00:00:13.480 00:00:13.980 b",
      "00:00:12.000 00:00:13.000 c",
      "00:00:20.000 00:00:30.000 d",
      "00:01:10.000 00:07:10.000 e",
    ]);
    const ntsc = ttml('ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"', '<p begin="30f" end="60f">x</p>');
    expect((await cues(ntsc, "ttml")).rows).toEqual(["00:00:01.001 00:00:02.002 x"]);
  });

  test("reads white space, line breaks, spans, named styles, regions and timed spans", async () => {
    const body =
      '<div timeContainer="seq"><p dur="1s" style="y" region="top">\n   a <span tts:fontStyle="normal" tts:fontWeight="bold">b</span><br/>\n  c\n</p><p dur="2s"><span begin="0s" end="1s">x</span> <span begin="1s" end="2s">y</span></p></div>';
    expect((await made(ttml("", body), ["ttml", "srt"])).text).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\n{\\an8}<font color="#ffff00"><i>a</i></font> <font color="#ffff00"><b>b</b></font>\n<font color="#ffff00"><i>c</i></font>\n\n2\n00:00:01,000 --> 00:00:02,000\nx\n\n3\n00:00:02,000 --> 00:00:03,000\ny\n',
    );
  });
});

describe("formats without ends or clocks", () => {
  test("reads lyrics until the next line, repeated timestamps, offsets and word times", async () => {
    const lrc =
      "[ti:Song]\n[ar:Ann]\n[offset:+500]\n[00:10.50][00:20.50]chorus\n[00:12.00]<00:12.00>one <00:13.00>two\n[00:15.00]\n[01:40.00]end\n";
    expect(await cues(lrc, "lrc")).toEqual({
      rows: [
        "00:00:10.000 00:00:11.500 chorus",
        "00:00:11.500 00:00:14.500 one two",
        "00:00:20.000 00:00:30.000 chorus",
        "00:01:39.500 00:01:49.500 end",
      ],
      codes: ["word_times_dropped", "ends_assumed", "title_dropped"],
    });
    expect((await made(lrc, ["lrc", "srt"])).text).toContain("00:01:39,500 --> 00:01:49,500");
  });

  test("writes pauses and minutes beyond the hour into lyrics", async () => {
    const srt = "1\n00:00:01,000 --> 00:00:02,000\na\nb\n\n2\n01:40:00,990 --> 01:40:02,000\nc\n";
    expect((await made(srt, ["srt", "lrc"])).text).toBe("[00:01.00]a b\n[00:02.00]\n[100:00.99]c\n[100:02.00]\n");
  });
});

describe("MicroDVD and MPL2", () => {
  test("MicroDVD has the declared frame rate, and 23.976 frames per second without one", async () => {
    expect(await cues("{1}{1}25.000\n{25}{50}one|two\n", "sub")).toEqual({
      rows: ["00:00:01.000 00:00:02.000 one\ntwo"],
      codes: [],
    });
    const { rows, codes } = await cues("{0}{24}one\n{240}{}open\n{480}{}last\nnot a cue\n", "sub");
    expect(rows).toEqual([
      "00:00:00.000 00:00:01.001 one",
      "00:00:10.010 00:00:20.010 open",
      "00:00:20.020 00:00:30.020 last",
    ]);
    expect(codes.toSorted()).toEqual(["ends_assumed", "frame_rate_assumed", "lines_skipped"]);
  });

  test("MicroDVD codes apply to a line or to the rest of the cue", async () => {
    const { text, codes } = await made(
      "{1}{1}10\n{0}{10}{c:$0000FF}red|plain\n{10}{20}{Y:b,i}all|lines\n{20}{30}{s:20}big\n",
      ["sub", "srt"],
    );
    expect(text).toContain('<font color="#ff0000">red</font>\nplain');
    expect(text).toMatch(/<b><i>all\s*lines<\/i><\/b>|<b><i>all<\/i><\/b>\n<b><i>lines<\/i><\/b>/);
    expect(codes).toEqual(["styles_dropped"]);
  });

  test("MPL2 has tenths of a second and lines in italics", async () => {
    const { text } = await made("[0][15]first|/second\n[20][40]/all\n", ["mpl", "vtt"]);
    expect(text).toContain("00:00:00.000 --> 00:00:01.500\nfirst\n<i>second</i>");
    expect(text).toContain("00:00:02.000 --> 00:00:04.000\n<i>all</i>");
  });
});

describe("files without subtitles", () => {
  test.each([
    ["srt", "just a text\n"],
    ["vtt", "no head\n\n00:01.000 --> 00:02.000\na\n"],
    ["vtt", "WEBVTT\n"],
    ["ass", "[Script Info]\n"],
    ["ttml", "<tt><body><p begin='x'>a</p></body></tt>"],
    ["ttml", "<tt><body><p>a</body></tt>"],
    ["sbv", "a\n"],
  ] as const)("%s without a cue is rejected: %j", async (format, text) => {
    expect(await codeOf(convert(scratch.file(text), [format, format === "srt" ? "vtt" : "srt"]))).toBe(
      "source_corrupt",
    );
  });

  test("keeps 50,000 cues to the millisecond", async () => {
    const count = 50_000;
    const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace(".", ",");
    const srt = Array.from(
      { length: count },
      (_, index) => `${index + 1}\n${clock(index * 977)} --> ${clock(index * 977 + 501)}\nline ${index}\n`,
    ).join("\n");
    const vtt = (await made(srt, ["srt", "vtt"])).text;
    expect((await made(vtt, ["vtt", "srt"])).text).toBe(srt);
  });
});
