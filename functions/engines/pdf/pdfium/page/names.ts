const DIGITS_MIN = 2;

/** @returns the file name of a page, padded so that names sort in page order: `page-07` */
export const pageName = (number: number, pages: number): string =>
  `page-${String(number).padStart(Math.max(DIGITS_MIN, String(pages).length), "0")}`;
