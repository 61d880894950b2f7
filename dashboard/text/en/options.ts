/** Names of the conversion options, and what to know about each. An option that is missing here shows the service's description. */
interface OptionText {
  readonly title: string;
  readonly hint: string;
  /** Names of the choices, by value. */
  readonly choices?: Readonly<Record<string, string>>;
}

const names: Readonly<Record<string, OptionText>> = {
  quality: { title: "Quality", hint: "1 to 100. Higher is better and larger." },
  lossless: { title: "Lossless", hint: "Keeps every pixel exactly. Quality then has no effect." },
  width: { title: "Width (pixels)", hint: "If you set only one side, the other keeps the proportions." },
  height: { title: "Height (pixels)", hint: "If you set only one side, the other keeps the proportions." },
  fit: {
    title: "Fit to width and height",
    hint: "Applies only if both sides are set.",
    choices: {
      inside: "Inside, no cropping",
      outside: "Outside, no cropping",
      cover: "Cover, crops the edges",
      contain: "Contain, pads the edges",
      fill: "Fill, stretches",
    },
  },
  background: { title: "Background color", hint: "Fills transparent areas, for example #ffffff." },
  colors: {
    title: "Colors",
    hint: "What the drawing consists of.",
    choices: { color: "Areas of color", black_white: "Black and white" },
  },
  delay: { title: "Frame delay (ms)", hint: "Applies when several images become an animation. Default: 500." },
  strip_metadata: {
    title: "Remove metadata",
    hint: "All: location, camera, tags, and other details. Colors are kept.",
    choices: { none: "None", gps: "Only the location", all: "All" },
  },
  pages: { title: "Pages", hint: "For example 1-3, 7, 9-. Default: all." },
  dpi: { title: "Resolution (DPI)", hint: "Resolution at which pages are rendered." },
  page_size: {
    title: "Page size",
    hint: "Default: the size of the image, and A4 for text.",
    choices: { auto: "Automatic", a3: "A3", a4: "A4", a5: "A5", letter: "Letter", legal: "Legal" },
  },
  page_orientation: {
    title: "Page orientation",
    hint: "Default: the orientation of the image.",
    choices: { auto: "Automatic", portrait: "Portrait", landscape: "Landscape" },
  },
  page_margin: { title: "Page margin (mm)", hint: "Default: 0 for images, 20 for text." },
  password: { title: "File password", hint: "Opens the file. It is not stored and not shown." },
  split: { title: "One file per page", hint: "Or per frame of an animation." },
  ocr: {
    title: "Recognize text (OCR)",
    hint: "In images, and in scanned pages.",
    choices: { auto: "Where a page has no text", off: "Off", force: "On all pages" },
  },
  ocr_language: { title: "Text language", hint: "For example de, or en+fr. Default: English." },
  compress: {
    title: "Compress images",
    hint: "Text and drawings stay as they are.",
    choices: { print: "For print (220 dpi)", ebook: "For reading (150 dpi)", screen: "Smallest (96 dpi)" },
  },
  target_size: { title: "Largest size in bytes", hint: "Images lose as little as possible." },
  rotate_pages: { title: "Pages to rotate", hint: "For example 1-3,7. Default: all." },
  flatten: { title: "Flatten forms and annotations", hint: "They can no longer be changed." },
  linearize: { title: "Fast first page on the web", hint: "A viewer shows it before the rest has arrived." },
  user_password: { title: "New password to open", hint: "Encrypts the PDF." },
  owner_password: { title: "New password for changes", hint: "Encrypts the PDF; lifts its restrictions." },
  permissions: {
    title: "Allowed without the password for changes",
    hint: "For example print,copy, or none. Default: all.",
  },
  rotate: { title: "Rotate", hint: "Clockwise.", choices: { 90: "90°", 180: "180°", 270: "270°" } },
  trim_start: { title: "Start at", hint: "Seconds, or 1:02:03. Default: the beginning." },
  trim_end: { title: "End at", hint: "Seconds, or 1:02:03. Default: the end." },
  at: { title: "Frame at", hint: "Seconds, or 1:02:03. Default: one tenth into the video." },
  fps: { title: "Frames per second", hint: "Default: same as the source." },
  crf: { title: "Constant rate factor (CRF)", hint: "Lower is better and larger. Default: 23 for H.264." },
  video_bitrate: { title: "Video bitrate (kbit/s)", hint: "Replaces the constant rate factor." },
  audio_bitrate: { title: "Audio bitrate (kbit/s)", hint: "Default: depends on the codec; 192 for stereo MP3." },
  video_codec: {
    title: "Video codec",
    hint: "Default: what players of the format expect.",
    choices: {
      h264: "H.264",
      hevc: "HEVC (H.265)",
      vp9: "VP9",
      av1: "AV1",
      prores: "ProRes",
      copy: "Keep the source's",
    },
  },
  audio_codec: {
    title: "Audio codec",
    hint: "Default: what players of the format expect.",
    choices: {
      aac: "AAC",
      mp3: "MP3",
      ac3: "AC-3",
      opus: "Opus",
      vorbis: "Vorbis",
      flac: "FLAC",
      alac: "Apple Lossless",
      pcm: "PCM (uncompressed)",
      copy: "Keep the source's",
    },
  },
  sample_rate: { title: "Sample rate (Hz)", hint: "For example 44100. Default: same as the source." },
  channels: { title: "Channels", hint: "1 is mono, 2 is stereo. Default: same as the source." },
  volume: { title: "Volume", hint: "0.5 is half as loud, 2 is twice as loud." },
  subtitles: {
    title: "Subtitles",
    hint: "Default: kept where the format supports them.",
    choices: { keep: "Keep", burn: "Burn into the video", drop: "Remove" },
  },
  encoding: { title: "Text encoding", hint: "For example windows-1252. Default: detected from the file." },
  tables: {
    title: "Sheets",
    hint: "The tables of the document, or its pages with all text.",
    choices: { each: "One per table", page: "One per page" },
  },
  delimiter: {
    title: "Column delimiter",
    hint: "Default: detected from the file; a comma for output.",
    choices: { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar" },
  },
  header: { title: "First row contains column names", hint: "Applies to the input table." },
  sheet: { title: "Sheet", hint: "Name, or number starting at 1. Default: all." },
  values: {
    title: "Cell values",
    hint: "Default: as stored.",
    choices: { raw: "As stored: full numbers, ISO dates", shown: "As displayed: formatted text" },
  },
  table: { title: "Table or layer", hint: "Name. Default: all." },
  indent: { title: "Indentation (spaces)", hint: "0 writes everything on one line." },
  level: { title: "Compression level", hint: "1 is fastest, 9 is smallest." },
  markdown: {
    title: "Markdown flavor",
    hint: "Default: GitHub.",
    choices: {
      gfm: "GitHub",
      commonmark: "CommonMark",
      pandoc: "Pandoc",
      multimarkdown: "MultiMarkdown",
      php_extra: "PHP Markdown Extra",
    },
  },
  style: {
    title: "Style",
    hint: "Default: a plain style for light and dark screens and for print.",
    choices: { default: "Default style", none: "No style" },
  },
  attachments: {
    title: "Attachments",
    hint: "Default: listed with name and size.",
    choices: { list: "List", embed: "Embed in the result" },
  },
  sheet_fit: {
    title: "Fit sheets to the page",
    hint: "Default: one page wide, unless the workbook has a print setup.",
    choices: { width: "One page wide", page: "A single page", none: "The workbook's scale" },
  },
  pdf_a: {
    title: "PDF/A (archiving)",
    hint: "Default: a regular PDF.",
    choices: { "1b": "PDF/A-1b", "2b": "PDF/A-2b", "3b": "PDF/A-3b" },
  },
  page_numbers: { title: "Print page numbers", hint: "In the bottom margin." },
  scale: { title: "Scale", hint: "0.5 is half the size. Default: 1." },
  print_background: { title: "Print background", hint: "Background colors and images." },
  css_media: {
    title: "CSS media type",
    hint: "Default: print for pages, screen for images.",
    choices: { print: "Print", screen: "Screen" },
  },
};

/** Texts of the options form. */
export const options = {
  names,
  title: (source: string, target: string) => `Options: ${source} to ${target}`,
  lead: "Leave a field empty to use the default.",
  none: "This conversion has no options.",
  defaultValue: "Default",
  defaultOf: (value: string) => `Default (${value})`,
  apply: "Apply",
  reset: "Reset to defaults",
  forAll: (source: string, target: string, count: number) => `Apply to all ${count} files from ${source} to ${target}`,
  range: (min: string, max: string) => `${min} to ${max}.`,
  errors: {
    format: "Invalid format.",
    length: (max: string) => `Enter at most ${max} characters.`,
    number: "Enter a number.",
    range: (min: string, max: string) => `Enter a number from ${min} to ${max}.`,
    integer: "Enter an integer.",
  },
};
