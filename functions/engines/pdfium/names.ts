const DIGITS_MIN = 2;

/** @returns what the file of a page is called, so that names stand in the order of the pages: `page-07` */
export const pageName = (number: number, pages: number): string =>
  `page-${String(number).padStart(Math.max(DIGITS_MIN, String(pages).length), "0")}`;
