/**
 * Every limit of conversions, named, with its unit last and its arithmetic beside it: what a file may have, what becomes of
 * it, and what a converter may take for it.
 */

const MB = 1_000_000;
const GB = 1_000 * MB;

/** Bytes of a file that the fast lane converts. */
export const FAST_INPUT_BYTES_MAX = 500 * MB;

/** Bytes of a film or a recording: what a lane with 10 GB of disk holds beside its result. */
export const MEDIA_INPUT_BYTES_MAX = 5 * GB;

/** Bytes of a result. */
export const OUTPUT_BYTES_MAX = 5 * GB;

/** Files that a conversion may make of one: pages, sheets, frames. */
export const PARTS_MAX = 2_000;

/** Warnings of a job. */
export const WARNINGS_MAX = 50;

/** Pages of a document. */
export const DOCUMENT_PAGES_MAX = 2_000;

/**
 * Pixels of a page that is drawn: A0 at 150 dpi has 35 million. PDFium holds 4 bytes of each, and what is encoded up to 4
 * more, beside the next page's (0.8 GB, as measured). Codecs that need much memory for each pixel get smaller pages:
 * AVIF 22 bytes (0.8 GB in all), lossless WebP 24 and lossless AVIF 36.
 */
export const PAGE_PIXELS_MAX = 50_000_000;
export const PAGE_AVIF_PIXELS_MAX = 30_000_000;
export const PAGE_WEBP_LOSSLESS_PIXELS_MAX = 30_000_000;
export const PAGE_AVIF_LOSSLESS_PIXELS_MAX = 20_000_000;

/** Pages that are read as pictures in one job, some 4 s each, and pixels of one: an A4 page at 600 dots an inch has 35. */
export const OCR_PAGES_MAX = 25;
export const OCR_PIXELS_MAX = 36_000_000;

/** Milliseconds that a browser may take for one document: four million letters took 31 s on a busy machine. */
export const BROWSER_MS_MAX = 120_000;

/** Cells of the tables that a browser prints, each 30 kB of its memory (1.5 GB). */
export const BROWSER_CELLS_MAX = 50_000;

/** Pixels of all pictures that a browser has to unpack for a document: so many took 20 s on a busy machine. */
export const BROWSER_PIXELS_MAX = 500_000_000;

/** Bytes of a PDF that is put together or taken apart: it is in memory up to three times. */
export const PDF_BYTES_MAX = 300 * MB;

/** Entries of an archive, bytes that it unpacks to, and how many times its size that is, from some bytes on. */
export const ARCHIVE_ENTRIES_MAX = 50_000;
export const ARCHIVE_BYTES_MAX = 10 * GB;
export const ARCHIVE_RATIO_MAX = 200;
export const ARCHIVE_RATIO_FROM_BYTES = 100 * MB;

/** Bytes of a font, unwrapped: the largest that are sold, with all of CJK, have 40 MB. A collection may have ten times that. */
export const FONT_BYTES_MAX = 50 * MB;
export const FONT_COLLECTION_BYTES_MAX = 10 * FONT_BYTES_MAX;

/** Bytes of a font that becomes WOFF2, whose Brotli takes 3 s for each megabyte of them. */
export const WOFF2_FONT_BYTES_MAX = 25 * MB;

/** Bytes of a zip that is a document (docx, epub, …), unpacked: it is held in memory, in part several times. */
export const ZIP_DOCUMENT_BYTES_MAX = 300 * MB;

/** Bytes of a text that is held in memory whole, and as a tree of objects takes ten times as much. */
export const TEXT_BYTES_MAX = 100 * MB;

/**
 * Nodes of an HTML document, each some 300 bytes of memory, and how deep its elements may be nested: at every tag the
 * parser looks through all that are open. Deeper than the second depth they are laid flat, as browsers do from 512 on,
 * because what works on them goes down by recursion.
 */
export const HTML_NODES_MAX = 1_000_000;
export const HTML_PARSED_DEPTH_MAX = 2_000;
export const HTML_DEPTH_MAX = 200;

/**
 * Paragraphs, cells and pieces of text of a Word document that we write: as objects, each takes 3 to 4 kB of memory as
 * measured (200,000 took 0.7 GB). A long novel has 30,000.
 */
export const DOCX_PIECES_MAX = 250_000;

/** Chapters of a book, each a file in it; what appears in instalments over years has 3,000. */
export const BOOK_CHAPTERS_MAX = 5_000;

/** Bytes of a Mobipocket or Kindle book, which is read into memory whole. */
export const MOBI_BYTES_MAX = 300 * MB;

/** Bytes of all pictures within an HTML document, as base64: with its text it stays under {@link TEXT_BYTES_MAX}. */
export const HTML_PICTURES_BYTES_MAX = 70 * MB;

/**
 * Values of a tree (JSON, YAML, …), the characters of its texts, and how deep values lie in one another. References are
 * counted each time they are followed. A value takes up to 150 bytes: 5,000,000 are 0.75 GB of memory.
 */
export const TREE_NODES_MAX = 5_000_000;
export const TREE_CHARACTERS_MAX = 200_000_000;
export const TREE_DEPTH_MAX = 1_000;

/** Bytes of a file of maps or models: their tools hold it in memory, as a tree of objects or of features. */
export const GEO_BYTES_MAX = 200 * MB;
/**
 * Bytes of a map that becomes a tree of objects, as measured: 30 times as much memory for the XML of KML and GPX (28 MB:
 * 0.9 GB), 17 times for GeoJSON (97 MB: 1.7 GB).
 */
export const MAP_XML_BYTES_MAX = 40 * MB;
export const MAP_JSON_BYTES_MAX = 60 * MB;
export const MODEL_BYTES_MAX = 200 * MB;
/** Bytes of a CAD program's bodies: the triangles of their surfaces take many times as much. */
export const CAD_BYTES_MAX = 50 * MB;

/** Triangles of a model, and their corners, none of which may be shared: 32 bytes each with normal and place in a picture. */
export const MODEL_TRIANGLES_MAX = 5_000_000;
export const MODEL_VERTICES_MAX = 3 * MODEL_TRIANGLES_MAX;

/** Parts that a model is put together from, each counted as often as it stands in it: parts of parts can be endless. */
export const MODEL_PARTS_MAX = 1_000_000;

/** Shapes of a model with lists of their own, which take 1 kB and 30 µs each, however small they are (3 s). */
export const MODEL_MESHES_MAX = 100_000;

/** Bytes of a TIFF, whose offsets have 32 bits; the last of them are a reserve for its directories. */
export const TIFF_BYTES_MAX = 4.2 * GB;

/** Pixels of a picture, all its frames counted: 100 megapixels in 4 channels are 400 MB of memory. */
export const PICTURE_PIXELS_MAX = 100_000_000;

/** Characters of one row of a CSV, and of one record of a JSON: it is held in memory whole. */
export const CSV_ROW_CHARACTERS_MAX = 64_000_000;
export const JSON_RECORD_BYTES_MAX = 64 * MB;

/** Columns of a table, as Excel ends. */
export const TABLE_COLUMNS_MAX = 16_384;

/** Columns that the objects within the records of a JSON may become; with more, they stay JSON. */
export const JSON_COLUMNS_FLAT_MAX = 2_000;

/** Tables of a database. */
export const TABLES_MAX = 2_000;

/** Bytes of a workbook's parts, unpacked: it is held in memory as a tree of objects. */
export const SPREADSHEET_BYTES_MAX = 200 * MB;

/** Cells of an OpenDocument that are written once and stand in many places: each takes 150 bytes of memory (0.75 GB). */
export const REPEATED_CELLS_MAX = 5_000_000;

/**
 * Cells that SheetJS writes into a format, all sheets counted, as they fit in {@link CONVERTER_MEMORY_BYTES_MAX}: XLS and
 * XLSB take 15 kB a cell while they are written (1.6 GB for 100,000), ODS and XLSX 1.3 (1.4 GB for a million).
 */
export const BINARY_SPREADSHEET_CELLS_MAX = 60_000;
export const XML_SPREADSHEET_CELLS_MAX = 800_000;

/**
 * Pixels of a picture where the codec needs so much memory for each that {@link CONVERTER_MEMORY_BYTES_MAX} ends it
 * before {@link PICTURE_PIXELS_MAX} does, as measured: AVIF 22 bytes and lossless WebP 24 (1.3 GB), lossless AVIF 36
 * (1.3 GB), ImageMagick's WebAssembly 15 (1.2 GB).
 */
export const AVIF_PIXELS_MAX = 55_000_000;
export const WEBP_LOSSLESS_PIXELS_MAX = 55_000_000;
export const AVIF_LOSSLESS_PIXELS_MAX = 36_000_000;
export const MAGICK_PIXELS_MAX = 80_000_000;

/** Pixels of a picture of light: four floats, four halves and four sixteen-bit values are 32 bytes a pixel (1.2 GB). */
export const LIGHT_PIXELS_MAX = 36_000_000;

/** Pixels of a picture that is traced to a drawing: a photo of so many takes 1.2 s, and its drawing has 1.3 MB. */
export const TRACED_PIXELS_MAX = 1_000_000;

/** Pixels of one side of a picture that we write; WebP ends at 16,383. */
export const PICTURE_SIDE_PIXELS_MAX = 16_383;

/** Bytes of an SVG, which is read into memory whole: a text node ends at 10 MB in libxml2, so this is a large drawing. */
export const SVG_BYTES_MAX = 50 * MB;

/** Pixels of a frame of a film: 8K in the format of cinemas, 8,192 × 4,320. */
export const FILM_PIXELS_MAX = 36_000_000;

/** Seconds of a recording: an hour of film is what 840 s of a lane encode, four hours of sound are decoded in one minute. */
export const VIDEO_SECONDS_MAX = 3_600;
export const AUDIO_SECONDS_MAX = 4 * 3_600;

/**
 * Bytes of a recording whose sound is converted on few processors. Music has 4 minutes in so many as WAV and 40 as MP3; the
 * slowest encoder, AAC at 57 times the speed of listening, takes 252 s for the four hours that a recording may last, of the
 * 300 s that the lane has.
 */
export const LIGHT_SOUND_BYTES_MAX = 40 * MB;

/**
 * Elements of an SVG that are drawn because something refers to them, each 30 µs (3 s), and steps of filters, each of
 * which takes 70 ns a pixel of the drawing: 11 ms for 400 × 400 (3.3 s).
 */
export const DRAWING_REFERRED_MAX = 100_000;
export const DRAWING_FILTER_STEPS_MAX = 300;

/** Bytes of a page of a PDF as a drawing: a map with all its streets has 30 MB as SVG. */
export const PAGE_DRAWING_BYTES_MAX = 200 * MB;

/** Frames of an animation. */
export const PICTURE_FRAMES_MAX = 2_000;

/** Bytes of memory that one converter process may hold (1.5 GB). */
export const CONVERTER_MEMORY_BYTES_MAX = 1.5 * GB;

/**
 * Bytes of memory of a conversion with its programs: an office (0.3 GB idle) or a browser (0.4) with a large document,
 * within the 3,008 MB of their function; a film in 4K, of which an encoder holds some sixty frames, within 8,192.
 */
export const DOCUMENT_MEMORY_BYTES_MAX = 2.5 * GB;
export const MEDIA_MEMORY_BYTES_MAX = 7 * GB;

/** Conversions after which a converter process is replaced, whatever its memory: a start costs 0.3 s of CPU. */
export const CONVERTER_JOBS_MAX = 2_000;

/** Bytes of memory above which an idle converter process is replaced. */
export const CONVERTER_IDLE_BYTES_MAX = 0.6 * GB;
