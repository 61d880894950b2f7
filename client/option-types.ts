/** Made from the formats and options of the service by generate-types.ts; not to be changed by hand. */

export type FormatId =
  | "3ds"
  | "3g2"
  | "3gp"
  | "3mf"
  | "7z"
  | "aac"
  | "ac3"
  | "aiff"
  | "amf"
  | "amr"
  | "ape"
  | "apng"
  | "arj"
  | "arrow"
  | "arw"
  | "asciidoc"
  | "asf"
  | "ass"
  | "au"
  | "avi"
  | "avif"
  | "azw3"
  | "bdf"
  | "bmp"
  | "br"
  | "bson"
  | "bz2"
  | "cab"
  | "caf"
  | "cb7"
  | "cbor"
  | "cbr"
  | "cbz"
  | "cdr"
  | "chm"
  | "cpio"
  | "cr2"
  | "cr3"
  | "csv"
  | "cur"
  | "dae"
  | "dbf"
  | "dds"
  | "deb"
  | "djvu"
  | "dng"
  | "doc"
  | "docbook"
  | "docx"
  | "dokuwiki"
  | "dpx"
  | "dsf"
  | "dts"
  | "dv"
  | "dxf"
  | "eac3"
  | "emf"
  | "eml"
  | "eot"
  | "eps"
  | "epub"
  | "exr"
  | "farbfeld"
  | "fb2"
  | "fbx"
  | "fgb"
  | "flac"
  | "flv"
  | "fods"
  | "fodt"
  | "geojson"
  | "geojsonl"
  | "gif"
  | "glb"
  | "gltf"
  | "gml"
  | "gpkg"
  | "gpx"
  | "gz"
  | "hdr"
  | "heic"
  | "html"
  | "icns"
  | "ico"
  | "ics"
  | "iges"
  | "ini"
  | "ipynb"
  | "iso"
  | "it"
  | "j2k"
  | "jar"
  | "jats"
  | "jls"
  | "jp2"
  | "jpg"
  | "json"
  | "json5"
  | "jxl"
  | "jxr"
  | "key"
  | "kml"
  | "kmz"
  | "lit"
  | "lrc"
  | "lrf"
  | "lz4"
  | "lzh"
  | "lzma"
  | "m2ts"
  | "m4a"
  | "m4b"
  | "m4v"
  | "man"
  | "mbox"
  | "md"
  | "mediawiki"
  | "mhtml"
  | "mid"
  | "miff"
  | "mka"
  | "mkv"
  | "mobi"
  | "mod"
  | "mov"
  | "mp2"
  | "mp3"
  | "mp4"
  | "mpg"
  | "mpl"
  | "msg"
  | "msgpack"
  | "mxf"
  | "ndjson"
  | "nef"
  | "numbers"
  | "obj"
  | "odg"
  | "odp"
  | "ods"
  | "odt"
  | "off"
  | "ogg"
  | "ogv"
  | "opml"
  | "opus"
  | "orf"
  | "org"
  | "otf"
  | "pages"
  | "pam"
  | "parquet"
  | "pbm"
  | "pcx"
  | "pdb"
  | "pdf"
  | "pef"
  | "pgm"
  | "pict"
  | "plist"
  | "ply"
  | "png"
  | "ppm"
  | "ppt"
  | "pptx"
  | "properties"
  | "psb"
  | "psd"
  | "pub"
  | "qoi"
  | "raf"
  | "rar"
  | "ras"
  | "rm"
  | "rpm"
  | "rst"
  | "rtf"
  | "rw2"
  | "s3m"
  | "sbv"
  | "sgi"
  | "shn"
  | "shp"
  | "slk"
  | "spx"
  | "sqlite"
  | "srt"
  | "srw"
  | "ssa"
  | "step"
  | "stl"
  | "sub"
  | "svg"
  | "svgz"
  | "sxc"
  | "sxi"
  | "sxw"
  | "tak"
  | "tar"
  | "taz"
  | "tbr"
  | "tbz2"
  | "tex"
  | "textile"
  | "tga"
  | "tgz"
  | "tiff"
  | "tlz"
  | "tlz4"
  | "toml"
  | "ts"
  | "tsv"
  | "tta"
  | "ttc"
  | "ttf"
  | "ttml"
  | "txt"
  | "txz"
  | "tzst"
  | "url"
  | "usdz"
  | "vcf"
  | "vob"
  | "voc"
  | "vsd"
  | "vsdx"
  | "vtt"
  | "w64"
  | "warc"
  | "wav"
  | "wb2"
  | "wbmp"
  | "webm"
  | "webp"
  | "wim"
  | "wk1"
  | "wma"
  | "wmf"
  | "wmv"
  | "woff"
  | "woff2"
  | "wpd"
  | "wps"
  | "wri"
  | "wv"
  | "x3d"
  | "xar"
  | "xbm"
  | "xcf"
  | "xls"
  | "xlsb"
  | "xlsx"
  | "xm"
  | "xml"
  | "xpm"
  | "xps"
  | "xz"
  | "y4m"
  | "yaml"
  | "z"
  | "zip"
  | "zst";

export interface ConversionOptions {
  /** Time of the extracted frame: seconds, or `1:02:03.5`. Default: 10% of the duration. */
  at?: number | string;
  /** ID of an upload to attach to the PDF, in any format. A form can contain the file itself in a field with this name. */
  attachment_upload_id?: string;
  /** Attachments of a message: `list` shows their names and sizes, `embed` also puts the files into the result. */
  attachments?: "list" | "embed";
  /** Audio bitrate in kbit/s. Default: by codec and channels, 192 for stereo MP3. */
  audio_bitrate?: number;
  /** Audio codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, otherwise the target's default. */
  audio_codec?: "aac" | "mp3" | "ac3" | "opus" | "vorbis" | "flac" | "alac" | "pcm" | "copy";
  /** Author in the metadata of the PDF. An empty text removes it. */
  author?: string;
  /** Background color of transparent pixels and padding: `#rgb`, `#rrggbb` or `#rrggbbaa`; a translucent color is used for padding only. Default: transparent, or white if the target does not support transparency. */
  background?: string;
  /** Blur the image: standard deviation of the Gaussian in pixels of the result. */
  blur?: number;
  /** Bookmarks that replace those of the PDF, in order: `[{"title": "Chapter 1", "page": 1}, {"title": "Part", "page": 2, "level": 2}]`. Pages are numbered as in the result; `level` is 1 by default. An empty list removes them. */
  bookmarks?: {
    title: string;
    page: number;
    level?: number;
  }[];
  /** Audio channels: 1 is mono, 2 is stereo. Default: as in the source, if the codec supports it. */
  channels?: number;
  /** Colors of a traced drawing: areas of `color`, or `black_white` lines and areas. */
  colors?: "color" | "black_white";
  /** Columns of a contact sheet of several images or frames. Default: as many as rows. */
  columns?: number;
  /** Recompress the images of a PDF: `print` to at most 220 dpi, `ebook` 150 dpi, `screen` 96 dpi. Text and drawings stay as they are. */
  compress?: "print" | "ebook" | "screen";
  /** Cookies for the host of the URL: `session=abc; theme=dark`. Never returned. */
  cookies?: string;
  /** Constant rate factor: lower values are better and larger. H.264 and HEVC: 0 to 51, default 23 and 26; VP9 and AV1: 0 to 63, default 32 and 35. */
  crf?: number;
  /** Area of the image to keep: `left,top,width,height` in pixels or percent. Applies after `flip` and `rotate`, before `width` and `height`. */
  crop?: string;
  /** Millimeters to hide at the sides of each page: all sides, or top, right, bottom and left: `10,15,10,15`. */
  crop_margins?: string;
  /** CSS media type. */
  css_media?: "print" | "screen";
  /** Prefer the page size of the page's own style sheets to the requested one. Default: true if no size is requested. */
  css_page_size?: boolean;
  /** Duration of each frame in milliseconds when images are merged into an animation; GIF has steps of 10. Default: 500; frames of an animation keep their duration. */
  delay?: number;
  /** Column delimiter of the source CSV or, if the source is not CSV, of the target. Default: detected in the source; a comma in the target. */
  delimiter?: "," | ";" | "\t" | "|";
  /** Resolution of rendered pages in dots per inch. Default for images in a PDF: that of the file, or 150. */
  dpi?: number;
  /** Text encoding of the source, by its name in the WHATWG Encoding Standard. Default: detected from the content. */
  encoding?: string;
  /** ID of an upload with the XML of an invoice (Factur-X, ZUGFeRD 2), which is attached to the PDF as PDF/A-3b. A form can contain the file itself in a field with this name. */
  facturx_upload_id?: string;
  /** How the image fits `width` and `height`: `inside` and `outside` preserve the aspect ratio within or around them, `cover` crops, `contain` pads with `background`, `fill` stretches. */
  fit?: "inside" | "outside" | "cover" | "contain" | "fill";
  /** Make form fields and annotations part of the page, so that they can no longer be changed. Default: false. */
  flatten?: boolean;
  /** Mirror the image: `horizontal` exchanges left and right, `vertical` top and bottom. Applies before `rotate`. */
  flip?: "horizontal" | "vertical" | "both";
  /** HTML of the footer of each page. The elements with the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Set a font size and a margin; images must be `data:` URLs. */
  footer_template?: string;
  /** Values of form fields by name: `{"name": "Ada", "subscribe": true}`. The conversion of the PDF to JSON lists the fields; `flatten` makes the values part of the page. Never returned. */
  form_data?: { [key: string]: string | number | boolean | string[] };
  /** Frames per second of the result. Default: as in the source; 12 for animations. */
  fps?: number;
  /** Number of frames of the video, evenly spaced in time, on a contact sheet; `width` is that of each frame, 320 by default. Default: one frame. */
  frames?: number;
  /** Draw the complete page, not only what a window of `width` and `height` shows. Default: true without `height`. */
  full_page?: boolean;
  /** Convert the colors to shades of gray. */
  grayscale?: boolean;
  /** Whether the first row of the source contains the column names. */
  header?: boolean;
  /** HTML of the header of each page. The elements with the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Set a font size and a margin; images must be `data:` URLs. */
  header_template?: string;
  /** Height of the result in pixels. */
  height?: number;
  /** Spaces per indentation level; 0 writes everything in one line. */
  indent?: number;
  /** Run the scripts of the page. They have no network access unless the source is a URL. Default: true for a URL, otherwise false. */
  javascript?: boolean;
  /** Keywords in the metadata of the PDF, separated by commas. An empty text removes them. */
  keywords?: string;
  /** Layout of a document made from PDF. `flow` is editable text that resembles the pages; `exact` has each line at its position on the page; `text` has paragraphs, lists and tables without the formatting of the pages. */
  layout?: "flow" | "exact" | "text";
  /** Compression level: 1 is fastest, 9 is smallest. 7-Zip, XZ and bzip2: default 3, or 1 for large files. */
  level?: number;
  /** Order the PDF so that a viewer can show its first page before it has received the rest. Default: false. */
  linearize?: boolean;
  /** Lossless encoding; `quality` is ignored. */
  lossless?: boolean;
  /** Normalize the loudness to this value in LUFS (EBU R128, in two passes): -23 is the level of broadcasts, -14 of streaming services. Peaks are limited to -1 dB. */
  loudness?: number;
  /** Bottom page margin in millimeters. Default: `page_margin`. */
  margin_bottom?: number;
  /** Left page margin in millimeters. Default: `page_margin`. */
  margin_left?: number;
  /** Right page margin in millimeters. Default: `page_margin`. */
  margin_right?: number;
  /** Top page margin in millimeters. Default: `page_margin`. */
  margin_top?: number;
  /** Markdown dialect of the source or, if the source is not Markdown, of the target. `gfm` is GitHub's. */
  markdown?: "gfm" | "commonmark" | "pandoc" | "multimarkdown" | "php_extra";
  /** Text recognition (OCR). `auto`: in images, and in pages without text; if the target is not PDF, also in pages whose fonts do not name their characters, and in scans with a digital number or header. `force`: in all pages, whose own text is left out. Default when the target is PDF: `off`, or `auto` with `ocr_language`; otherwise `auto`. */
  ocr?: "auto" | "off" | "force";
  /** OCR languages, up to five: `de`, `en+fr`, `zh-Hant`, or Tesseract codes. Default: English. */
  ocr_language?: string;
  /** Encrypt the PDF (AES-256) with this password, which lifts the restrictions of `permissions`. Never returned. */
  owner_password?: string;
  /** Height of the page in millimeters, instead of `page_size`. */
  page_height?: number;
  /** Page margin in millimeters. Default: 0 for images, 20 for text. */
  page_margin?: number;
  /** Text of page numbers: `{page}` is the number of the page, `{pages}` the last number, as in `{page} / {pages}`. Default: `{page}`. */
  page_number_format?: string;
  /** Pages with a page number, as numbered in the result: `2-`. Default: all. */
  page_number_pages?: string;
  /** Position of page numbers. */
  page_number_position?: "bottom" | "bottom_left" | "bottom_right" | "top" | "top_left" | "top_right";
  /** Number of the first page that has one. */
  page_number_start?: number;
  /** Print page numbers in the bottom margin. */
  page_numbers?: boolean;
  /** Page orientation. `auto` follows the image. */
  page_orientation?: "auto" | "portrait" | "landscape";
  /** Page size. `auto` is the size of the image, and A4 for text. */
  page_size?: "auto" | "a3" | "a4" | "a5" | "letter" | "legal";
  /** Width of the page in millimeters, instead of `page_size`. */
  page_width?: number;
  /** Pages to convert, starting at 1: `1-3,7,9-`; `!2` is all pages but the second. Default: all. */
  pages?: string;
  /** Number of pages to arrange on each sheet, which has the size of the first page. */
  pages_per_sheet?: 2 | 4 | 6 | 9;
  /** Password of the file. Never returned. */
  password?: string;
  /** Write PDF/A of this part and level. Default: a plain PDF. */
  pdf_a?: "1b" | "2b" | "3b";
  /** What readers without the owner password may do: `none`, or of `print,copy,modify,annotate,fill,assemble`. The PDF is encrypted; without `user_password` it opens without a password. Default: everything. */
  permissions?: string;
  /** Print background colors and images. */
  print_background?: boolean;
  /** Quality of a lossy encoding, 1 to 100. */
  quality?: number;
  /** Headers of requests to the origin of the URL, one a line: `Authorization: Bearer abc`. Never returned. */
  request_headers?: string;
  /** Clockwise rotation of the image, of the video, or of the pages of a PDF, in degrees. */
  rotate?: 90 | 180 | 270;
  /** Pages to rotate, as numbered in the result: `1-3,7,9-`. Default: all. */
  rotate_pages?: string;
  /** Sample rate in Hz. Default: the source's, or the nearest that the codec supports. */
  sample_rate?: number;
  /** Print scale: 0.5 is half the size. Default: 1, or less if the document is wider than the page. */
  scale?: number;
  /** Sharpen the image: standard deviation of the Gaussian in pixels of the result. */
  sharpen?: number;
  /** Sheet to convert, by name or by number, starting at 1. Default: all, as separate files if the target supports only one. */
  sheet?: string | number;
  /** How each sheet fits the page: `width` is one page wide (landscape if the sheet is wide), `page` a single page, `none` the workbook's scale. Default: `width`, unless the workbook sets a scale, print areas or page breaks. */
  sheet_fit?: "width" | "page" | "none";
  /** Print everything on one page, as long as the content. Default: false. */
  single_page?: boolean;
  /** Several sizes of the image, up to 10, in a ZIP: `64,320,1280x720` are widths, or widths and heights. Replaces `width` and `height`; `fit` applies to each. Of a video in a ZIP: the sizes among which a player chooses. */
  sizes?: string;
  /** Write each page, or each frame of a GIF or WebP, to a separate file. */
  split?: boolean;
  /** Remove metadata: `gps` the location, `private` everything except the author, the copyright and the color profile of an image, `all` EXIF, XMP, tags and location. With `all`, the color profile of an image is applied to the pixels, so colors are preserved. */
  strip_metadata?: "none" | "gps" | "private" | "all";
  /** Style sheet of HTML made from Markdown that has none: `default` follows light and dark mode and has print rules. */
  style?: "default" | "none";
  /** Subject in the metadata of the PDF. An empty text removes it. */
  subject?: string;
  /** Subtitles of the video: `keep` as a track if the target supports it, `burn` the first track into the frames, or `drop`. */
  subtitles?: "keep" | "burn" | "drop";
  /** ID of an upload with subtitles to burn into the frames. A form can contain the file itself in a field with this name. */
  subtitles_upload_id?: string;
  /** Table or layer to convert, by name. Default: all, as separate files if the target supports only one. */
  table?: string;
  /** Sheets of a PDF. `each`: one for each table; the text around tables is left out. `page`: one for each page, with its tables and the text around them from top to bottom. A PDF without tables is written as with `page`. */
  tables?: "each" | "page";
  /** Maximum size of the result in bytes, with as little loss as possible: of an image by its `quality`, of a PDF by the images in it, of a video by its bit rate and frame size. If it cannot be reached, the result is the smallest possible, with a warning. */
  target_size?: number;
  /** Title in the metadata of the PDF. An empty text removes it. */
  title?: string;
  /** Leave the background transparent where the page has none. Default: false. */
  transparent?: boolean;
  /** End time in the source: seconds, or `1:02:03.5`. Default: the end. */
  trim_end?: number | string;
  /** Start time in the source: seconds, or `1:02:03.5`. Default: the beginning. */
  trim_start?: number | string;
  /** The `User-Agent` of the browser. */
  user_agent?: string;
  /** Encrypt the PDF (AES-256) with this password, which opens it. Never returned. */
  user_password?: string;
  /** Cells of a workbook. `raw`: numbers in full and dates in ISO 8601. `shown`: the text that the number format of each cell displays in US English, such as percentages, currencies and dates. */
  values?: "raw" | "shown";
  /** Video bitrate in kbit/s, instead of a constant rate factor. */
  video_bitrate?: number;
  /** Video codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, otherwise the target's default. */
  video_codec?: "h264" | "hevc" | "vp9" | "av1" | "prores" | "copy";
  /** Volume factor: 0.5 is half, 2 is twice. */
  volume?: number;
  /** A CSS selector. The page is complete when an element matches it. */
  wait_for_selector?: string;
  /** Further milliseconds to wait after that. Default: 0. */
  wait_ms?: number;
  /** The event after which the page is complete. `network_idle` is half a second without requests. */
  wait_until?: "domcontentloaded" | "load" | "network_almost_idle" | "network_idle";
  /** Color of the watermark's text: `#rgb` or `#rrggbb`. */
  watermark_color?: string;
  /** Font size of `watermark_text` in points, instead of `watermark_size`. */
  watermark_font_size?: number;
  /** Whether the watermark is above or below the content of the pages. */
  watermark_layer?: "above" | "below";
  /** Opacity of the watermark: 0.01 is almost invisible, 1 is opaque. */
  watermark_opacity?: number;
  /** Pages with the watermark, as numbered in the result: `1-3,7,9-`. Default: all. */
  watermark_pages?: string;
  /** Position of the watermark; `tile` repeats it over the whole area. */
  watermark_position?: "center" | "top" | "bottom" | "left" | "right" | "top_left" | "top_right" | "bottom_left" | "bottom_right" | "tile";
  /** Clockwise rotation of the watermark in degrees. */
  watermark_rotation?: number;
  /** Width of the watermark in percent of the width of the image or page. */
  watermark_size?: number;
  /** Text to draw over the image or the pages as a watermark. */
  watermark_text?: string;
  /** ID of an upload to use as the watermark instead of a text: an image, or for PDF also the first page of a PDF. A form can contain the file itself in a field with this name. */
  watermark_upload_id?: string;
  /** Width of the result in pixels. If only one side is set, the aspect ratio is preserved. */
  width?: number;
  /** Content of the ZIP: `images` are the images in a PDF, as they are in the file where possible; `hls` is a video for streaming (HTTP Live Streaming), in one size or in the `sizes`. */
  zip_content?: "images" | "hls";
}
