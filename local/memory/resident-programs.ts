/**
 * How many converters keep LibreOffice, Chromium and calibre open when they are idle. Starting LibreOffice takes longer
 * than most documents; it uses 120 MB after small documents and 200 to 300 MB after typical ones, 110 MB of which are
 * programs and libraries that several of them share.
 */

/**
 * Memory of a process that accepts requests after a burst of requests, of an idle converter, and of a LibreOffice that has
 * converted. Shared pages are counted once.
 */
const SERVICE_BYTES = 190_000_000;
const CONVERTER_BYTES = 60_000_000;
const PROGRAM_BYTES = 200_000_000;

/** A converter with a browser that has printed a sample. */
const SPARE_BYTES = 250_000_000;

/** Conversions need the rest. */
const IDLE_SHARE = 0.5;

/**
 * @param memoryBytes memory of the machine or the container, or less
 * @param converters maximum number of converters
 * @param processes number of processes that accept requests
 * @returns the number of converters that keep their programs; the others end them soon after a job
 */
export const residentPrograms = (memoryBytes: number, converters: number, processes = 1): number =>
  countOf(idleBytes(memoryBytes, converters, processes) / PROGRAM_BYTES, converters);

/** Maximum number of browsers that are prepared: each serves one page, and a page takes longer than preparing one. */
const SPARES_MAX = 4;

/** @returns the number of prepared browsers for web pages, in the memory that resident programs leave */
export const spareBrowsers = (memoryBytes: number, converters: number, processes = 1): number => {
  const programs = residentPrograms(memoryBytes, converters, processes) * PROGRAM_BYTES;
  const bytes = idleBytes(memoryBytes, converters, processes) - programs;
  return countOf(bytes / SPARE_BYTES, Math.min(converters, SPARES_MAX));
};

const idleBytes = (memoryBytes: number, converters: number, processes: number): number =>
  memoryBytes * IDLE_SHARE - processes * SERVICE_BYTES - converters * CONVERTER_BYTES;

const countOf = (fitting: number, max: number): number => Math.max(0, Math.min(max, Math.floor(fitting)));
