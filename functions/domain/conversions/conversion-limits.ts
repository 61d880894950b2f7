/** Limits of conversions: for sources, results and converters. Names end with the unit; comments explain the value. */

const MB = 1_000_000;
const GB = 1_000 * MB;

/** Maximum size of a file in the fast lane. */
export const FAST_INPUT_BYTES_MAX = 500 * MB;

/** Maximum size of a video or audio file: the lane has 10 GB of disk, which must also hold the result. */
export const MEDIA_INPUT_BYTES_MAX = 5 * GB;

/** Maximum size of a result. */
export const OUTPUT_BYTES_MAX = 5 * GB;

/** Maximum number of files that one file is converted to: pages, sheets, frames. */
export const PARTS_MAX = 2_000;

/** Maximum number of warnings of a job. */
export const WARNINGS_MAX = 50;

/** Maximum number of pages of a document. */
export const DOCUMENT_PAGES_MAX = 2_000;

/**
 * Maximum pixels of a rendered page: A0 at 150 dpi has 35 million. PDFium takes 4 bytes per pixel, the encoder up to 4
 * more, in addition to the next page (0.8 GB, measured). Codecs that need more memory per pixel get smaller pages: AVIF
 * 22 bytes (0.8 GB in total), lossless WebP 24 and lossless AVIF 36.
 */
export const PAGE_PIXELS_MAX = 50_000_000;
export const PAGE_AVIF_PIXELS_MAX = 30_000_000;
export const PAGE_WEBP_LOSSLESS_PIXELS_MAX = 30_000_000;
export const PAGE_AVIF_LOSSLESS_PIXELS_MAX = 20_000_000;

/**
 * Maximum number of pages with OCR per job, about 4 s each, and maximum pixels of one: an A4 page at 600 dpi has 35
 * million.
 */
export const OCR_PAGES_MAX = 25;
export const OCR_PIXELS_MAX = 36_000_000;

/** Timeout of a browser for one document in milliseconds: four million characters took 31 s on a busy machine. */
export const BROWSER_MS_MAX = 120_000;

/** Maximum number of table cells that a browser prints, 30 kB of memory each (1.5 GB). */
export const BROWSER_CELLS_MAX = 50_000;

/** Maximum pixels of all images that a browser decodes for a document: this many took 20 s on a busy machine. */
export const BROWSER_PIXELS_MAX = 500_000_000;

/** Maximum size of a PDF that is merged or split: up to three copies are in memory. */
export const PDF_BYTES_MAX = 300 * MB;

/**
 * Maximum number of entries of an archive, maximum unpacked size, and maximum ratio of unpacked to packed size, which
 * applies above a minimum unpacked size.
 */
export const ARCHIVE_ENTRIES_MAX = 50_000;
export const ARCHIVE_BYTES_MAX = 10 * GB;
export const ARCHIVE_RATIO_MAX = 200;
export const ARCHIVE_RATIO_FROM_BYTES = 100 * MB;

/**
 * Maximum size of an unpacked font: the largest commercial ones, with all of CJK, have 40 MB. A collection can have ten
 * times as much.
 */
export const FONT_BYTES_MAX = 50 * MB;
export const FONT_COLLECTION_BYTES_MAX = 10 * FONT_BYTES_MAX;
/** GNU Unifont, with all characters of the basic plane, has 10 MB. */
export const BITMAP_FONT_BYTES_MAX = 20 * MB;

/** Maximum size of a font that is converted to WOFF2, whose Brotli compression takes 3 s per megabyte. */
export const WOFF2_FONT_BYTES_MAX = 25 * MB;

/**
 * Maximum unpacked size of a document that is a zip (docx, epub, …): it is held in memory, parts of it several times.
 */
export const ZIP_DOCUMENT_BYTES_MAX = 300 * MB;

/** Maximum size of a text that is loaded into memory: as an object tree it takes ten times as much. */
export const TEXT_BYTES_MAX = 100 * MB;

/**
 * Maximum number of nodes of an HTML document, about 300 bytes of memory each, and maximum nesting depth: at every tag
 * the parser searches all open elements. Elements below the second depth are flattened, as browsers do from 512 on,
 * because the code that processes them is recursive.
 */
export const HTML_NODES_MAX = 1_000_000;
export const HTML_PARSED_DEPTH_MAX = 2_000;
export const HTML_DEPTH_MAX = 200;

/**
 * Maximum number of paragraphs, cells and text runs of a Word document that we write: as objects, each takes 3 to 4 kB
 * of memory (measured: 0.7 GB for 200,000). A long novel has 30,000.
 */
export const DOCX_PIECES_MAX = 250_000;

/** Maximum number of chapters of a book, each a separate file: serials that appear over years have 3,000. */
export const BOOK_CHAPTERS_MAX = 5_000;

/** Maximum size of a Mobipocket or Kindle book, which is loaded into memory. */
export const MOBI_BYTES_MAX = 300 * MB;

/** Maximum size of all images in an HTML document, as base64: with its text it stays below {@link TEXT_BYTES_MAX}. */
export const HTML_PICTURES_BYTES_MAX = 70 * MB;

/**
 * Maximum number of values of structured data (JSON, YAML, …), of characters in its strings, and of nesting levels.
 * References count each time they are followed. A value takes up to 150 bytes of memory: 0.75 GB for 5,000,000.
 */
export const TREE_NODES_MAX = 5_000_000;
export const TREE_CHARACTERS_MAX = 200_000_000;
export const TREE_DEPTH_MAX = 1_000;

/** Maximum size of map and model files, which the tools hold in memory as a tree of objects or features. */
export const GEO_BYTES_MAX = 200 * MB;
/**
 * Maximum size of a map that becomes an object tree. Measured memory: 30 times the size for the XML of KML and GPX (28
 * MB: 0.9 GB), 17 times for GeoJSON (97 MB: 1.7 GB).
 */
export const MAP_XML_BYTES_MAX = 40 * MB;
export const MAP_JSON_BYTES_MAX = 60 * MB;
export const MODEL_BYTES_MAX = 200 * MB;
/** Maximum size of a CAD file: the triangles of its surfaces take many times as much. */
export const CAD_BYTES_MAX = 50 * MB;

/**
 * Maximum number of triangles of a model, and of their vertices if none is shared: 32 bytes each, with normal and
 * texture coordinates.
 */
export const MODEL_TRIANGLES_MAX = 5_000_000;
export const MODEL_VERTICES_MAX = 3 * MODEL_TRIANGLES_MAX;

/** Maximum number of parts of a model, counted at each use: nested parts can multiply without limit. */
export const MODEL_PARTS_MAX = 1_000_000;

/** Maximum number of meshes of a model with separate lists: 1 kB and 30 µs each, however small they are (3 s). */
export const MODEL_MESHES_MAX = 100_000;

/** Maximum size of a TIFF, which has 32-bit offsets; the remainder is reserved for its directories. */
export const TIFF_BYTES_MAX = 4.2 * GB;

/** Maximum pixels of an image, including all frames: 100 megapixels with 4 channels take 400 MB of memory. */
export const PICTURE_PIXELS_MAX = 100_000_000;

/** Maximum characters of a CSV row, and maximum size of a JSON record: each is held in memory. */
export const CSV_ROW_CHARACTERS_MAX = 64_000_000;
export const JSON_RECORD_BYTES_MAX = 64 * MB;

/** Maximum number of columns of a table, as in Excel. */
export const TABLE_COLUMNS_MAX = 16_384;

/** Maximum number of columns that nested objects in JSON records are flattened to; with more, they stay JSON. */
export const JSON_COLUMNS_FLAT_MAX = 2_000;

/** Maximum size of an Arrow file, whose rows become JSON of several times its size on disk. */
export const ARROW_BYTES_MAX = 200 * MB;

/** Maximum number of tables of a database. */
export const TABLES_MAX = 2_000;

/** Maximum unpacked size of the parts of a workbook, which is held in memory as an object tree. */
export const SPREADSHEET_BYTES_MAX = 200 * MB;

/**
 * Maximum number of repeated cells in an OpenDocument file, which stores them once: 150 bytes of memory each (0.75 GB).
 */
export const REPEATED_CELLS_MAX = 5_000_000;

/**
 * Maximum number of cells that SheetJS writes, including all sheets, within {@link CONVERTER_MEMORY_BYTES_MAX}: XLS and
 * XLSB take 15 kB per cell while writing (1.6 GB for 100,000), ODS and XLSX 1.3 kB (1.4 GB for a million).
 */
export const BINARY_SPREADSHEET_CELLS_MAX = 60_000;
export const XML_SPREADSHEET_CELLS_MAX = 800_000;

/**
 * Maximum number of cells, most of them empty, in the rectangle from the first to the last used cell of a sheet that is
 * printed: LibreOffice counts its pages in 5 s per 100 million, so one cell in the last row and column took hours.
 */
export const PRINTED_AREA_CELLS_MAX = 500_000_000;

/**
 * Maximum pixels of an image for codecs that would reach {@link CONVERTER_MEMORY_BYTES_MAX} before {@link
 * PICTURE_PIXELS_MAX}. Measured bytes per pixel: AVIF 22 and lossless WebP 24 (1.3 GB), lossless AVIF 36 (1.3 GB),
 * ImageMagick's WebAssembly 15 (1.2 GB).
 */
export const AVIF_PIXELS_MAX = 55_000_000;
export const WEBP_LOSSLESS_PIXELS_MAX = 55_000_000;
export const AVIF_LOSSLESS_PIXELS_MAX = 36_000_000;
export const MAGICK_PIXELS_MAX = 80_000_000;

/**
 * Maximum number of samples (pixels × components) of a JPEG 2000, which takes 6 bytes of memory for each (measured: 1.44
 * GB), and the number of pixels per byte above which a file cannot contain the image: a white one of 36 megapixels has
 * 142,000 (measured), and one of 80 megapixels at most twice as many.
 */
export const JPEG_2000_SAMPLES_MAX = 240_000_000;
export const JPEG_2000_PIXELS_PER_BYTE_MAX = 350_000;

/** Maximum pixels of an HDR image: four floats, four halves and four 16-bit values take 32 bytes per pixel (1.2 GB). */
export const LIGHT_PIXELS_MAX = 36_000_000;

/** Maximum pixels of an image that is traced: a photo of this size takes 1.2 s, and its drawing has 1.3 MB. */
export const TRACED_PIXELS_MAX = 1_000_000;

/** Maximum pixels of each side of an image that we write; the limit of WebP is 16,383. */
export const PICTURE_SIDE_PIXELS_MAX = 16_383;

/**
 * Maximum size of an SVG, which is loaded into memory: libxml2 limits text nodes to 10 MB, so this is a large drawing.
 */
export const SVG_BYTES_MAX = 50 * MB;

/** Maximum pixels of a video frame: the cinema format of 8K, 8,192 × 4,320. */
export const FILM_PIXELS_MAX = 36_000_000;

/**
 * Maximum duration in seconds: a lane encodes an hour of video in 840 s, and decodes four hours of audio in one minute.
 */
export const VIDEO_SECONDS_MAX = 3_600;
export const AUDIO_SECONDS_MAX = 4 * 3_600;

/**
 * Maximum duration in seconds of a MIDI file: 128 voices are rendered at 20 times real time, so an hour takes 180 s.
 */
export const MIDI_SECONDS_MAX = 3_600;

/** Maximum size of a MIDI file: ten hours of music have 1 MB. Each of its events takes the synthesizer some microseconds. */
export const MIDI_BYTES_MAX = 10 * MB;

/**
 * Maximum size of a recording whose audio is converted with few processors: 4 minutes of music as WAV, 40 as MP3. The
 * slowest encoder, AAC at 57 times real time, takes 252 s for the maximum of four hours, within the 300 s of the lane.
 */
export const LIGHT_SOUND_BYTES_MAX = 40 * MB;

/**
 * Maximum number of SVG elements that are drawn because they are referenced, 30 µs each (3 s), and of filter steps, 70
 * ns per pixel of the drawing each: 11 ms for 400 × 400 (3.3 s).
 */
export const DRAWING_REFERRED_MAX = 100_000;
export const DRAWING_FILTER_STEPS_MAX = 300;

/** Maximum size of a PDF page as a drawing: a map with all its streets has 30 MB as SVG. */
export const PAGE_DRAWING_BYTES_MAX = 200 * MB;

/** Maximum number of frames of an animation. */
export const PICTURE_FRAMES_MAX = 2_000;

/** Maximum memory of a converter process in bytes (1.5 GB). */
export const CONVERTER_MEMORY_BYTES_MAX = 1.5 * GB;

/**
 * Maximum memory of a conversion in bytes, including its programs: an office suite (0.3 GB idle) or a browser (0.4 GB)
 * with a large document, within the 3,008 MB of the function; or a 4K video, of which an encoder holds about sixty
 * frames, within 8,192 MB.
 */
export const DOCUMENT_MEMORY_BYTES_MAX = 2.5 * GB;
export const MEDIA_MEMORY_BYTES_MAX = 7 * GB;

/** Conversions after which a converter process is replaced, regardless of its memory: a start costs 0.3 s of CPU. */
export const CONVERTER_JOBS_MAX = 2_000;

/**
 * Maximum size in bytes of a file that is converted in memory, and of its result: the service and the converter hold both.
 * Reading and writing files costs more than a small conversion, and nothing in comparison to a large one.
 */
export const BYTES_INPUT_MAX = MB;
export const BYTES_RESULT_MAX = 32 * MB;

/** Memory in bytes above which an idle converter process is replaced. */
export const CONVERTER_IDLE_BYTES_MAX = 0.6 * GB;
