/** Names of the options of conversions, and what people should know of each. One that is not here shows what the service says of it. */
interface OptionText {
  readonly title: string;
  readonly hint: string;
  /** Of what can be chosen, by its value. */
  readonly choices?: Readonly<Record<string, string>>;
}

const names: Readonly<Record<string, OptionText>> = {
  quality: { title: "Quality", hint: "1 to 100; more is better and larger." },
  lossless: { title: "Without loss", hint: "Keeps every pixel as it is; the quality is then without effect." },
  width: { title: "Width in pixels", hint: "With one side given, the other follows." },
  height: { title: "Height in pixels", hint: "With one side given, the other follows." },
  fit: {
    title: "How it fits width and height",
    hint: "Only where both sides are given.",
    choices: {
      inside: "Within them, nothing cut",
      outside: "Around them, nothing cut",
      cover: "Fill them, edges are cut",
      contain: "Within them, edges are filled",
      fill: "Stretched to them",
    },
  },
  background: { title: "Background colour", hint: "Behind what is transparent, for example #ffffff." },
  colours: {
    title: "Colours",
    hint: "What the drawing is made of.",
    choices: { colour: "Areas of colour", black_white: "Black and white" },
  },
  delay: { title: "Milliseconds of each frame", hint: "Where several pictures become an animation; usually 500." },
  strip_metadata: { title: "Remove metadata", hint: "Leaves out place, camera and other details. Colours stay." },
  pages: { title: "Pages", hint: "For example 1-3, 7, 9-. Usually all." },
  dpi: { title: "Dots per inch", hint: "How finely pages are drawn; usually 150." },
  page_size: {
    title: "Page size",
    hint: "Usually as large as the picture, and A4 for text.",
    choices: { auto: "As it fits", a3: "A3", a4: "A4", a5: "A5", letter: "Letter", legal: "Legal" },
  },
  page_orientation: {
    title: "Page direction",
    hint: "Usually as the picture is.",
    choices: { auto: "As it fits", portrait: "Upright", landscape: "Across" },
  },
  page_margin: { title: "Margin in millimetres", hint: "Usually 0 around pictures and 20 around text." },
  password: { title: "Password of the file", hint: "Opens the file. It is not kept and not shown." },
  split: { title: "A file for each page", hint: "Or for each frame of an animation." },
  ocr: { title: "Read the text in pictures", hint: "Makes scanned pages searchable." },
  ocr_language: { title: "Language of the text", hint: "For example de, or en+fr. Usually English." },
  rotate: { title: "Turn", hint: "Clockwise.", choices: { 90: "90°", 180: "180°", 270: "270°" } },
  trim_start: { title: "Begin at", hint: "Seconds, or 1:02:03. Usually at the beginning." },
  trim_end: { title: "End at", hint: "Seconds, or 1:02:03. Usually at the end." },
  at: { title: "Moment of the picture", hint: "Seconds, or 1:02:03. Usually after a tenth of the film." },
  fps: { title: "Frames a second", hint: "Usually as in the source." },
  crf: { title: "Constant quality of the film", hint: "Less is better and larger; usually 23 for H.264." },
  video_bitrate: { title: "Bit rate of the film, kbit/s", hint: "In place of a constant quality." },
  audio_bitrate: { title: "Bit rate of the sound, kbit/s", hint: "Usually by codec; 192 for MP3 in stereo." },
  video_codec: {
    title: "Codec of the film",
    hint: "Usually what players of the format expect.",
    choices: { h264: "H.264", hevc: "HEVC (H.265)", vp9: "VP9", av1: "AV1", prores: "ProRes" },
  },
  audio_codec: {
    title: "Codec of the sound",
    hint: "Usually what players of the format expect.",
    choices: {
      aac: "AAC",
      mp3: "MP3",
      ac3: "AC-3",
      opus: "Opus",
      vorbis: "Vorbis",
      flac: "FLAC",
      alac: "Apple Lossless",
      pcm: "PCM, not compressed",
    },
  },
  sample_rate: { title: "Samples a second", hint: "For example 44100. Usually as in the source." },
  channels: { title: "Channels", hint: "1 is mono, 2 is stereo. Usually as in the source." },
  volume: { title: "Volume", hint: "0.5 is half as loud, 2 is twice as loud." },
  subtitles: {
    title: "Subtitles",
    hint: "Usually kept, where the format can hold them.",
    choices: { keep: "Keep", burn: "Draw into the picture", drop: "Leave out" },
  },
  encoding: { title: "Encoding of the text", hint: "For example windows-1252. Usually told from the file." },
  delimiter: {
    title: "Between columns",
    hint: "Usually told from the file; a comma where one is written.",
    choices: { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar" },
  },
  header: { title: "The first row names the columns", hint: "Of the table that is read." },
  sheet: { title: "Sheet", hint: "Its name, or its number from 1. Usually all." },
  table: { title: "Table or layer", hint: "Its name. Usually all." },
  indent: { title: "Spaces to indent by", hint: "0 writes all in one line; usually 2." },
  level: { title: "Compression", hint: "1 is fast, 9 is small." },
  markdown: {
    title: "Kind of Markdown",
    hint: "Usually GitHub's.",
    choices: {
      gfm: "GitHub",
      commonmark: "CommonMark",
      pandoc: "Pandoc",
      multimarkdown: "MultiMarkdown",
      php_extra: "PHP Markdown Extra",
    },
  },
  pdf_a: {
    title: "For archives (PDF/A)",
    hint: "Usually a plain PDF.",
    choices: { "1b": "PDF/A-1b", "2b": "PDF/A-2b", "3b": "PDF/A-3b" },
  },
  page_numbers: { title: "Print page numbers", hint: "Into the lower margin." },
  scale: { title: "Scale", hint: "0.5 is half as large; usually 1." },
  print_background: { title: "Print colours behind the text", hint: "And pictures behind it." },
  css_media: {
    title: "Style for",
    hint: "Usually print on pages, and screen in pictures.",
    choices: { print: "Print", screen: "Screen" },
  },
};

/** Texts of the form that options are filled in by. */
export const options = {
  names,
  title: (source: string, target: string) => `Options: ${source} to ${target}`,
  lead: "What you leave as it is stays as usual.",
  none: "This conversion has no options.",
  usual: "As usual",
  apply: "Apply",
  reset: "All as usual",
  forAll: (source: string, target: string, count: number) => `For all ${count} files from ${source} to ${target}`,
  range: (least: string, most: string) => `From ${least} to ${most}.`,
  faults: {
    form: "This is not in the form that is asked for.",
    long: (most: string) => `At most ${most} characters.`,
    number: "A number, please.",
    range: (least: string, most: string) => `From ${least} to ${most}, please.`,
    whole: "A whole number, please.",
  },
};
