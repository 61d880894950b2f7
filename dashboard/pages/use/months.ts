/** Months of the UTC calendar, as `2026-11`. */

/** Months before this one that the service tells of. */
const MONTHS_BACK_MAX = 24;

export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** @returns this month and those before it, the newest first */
export const monthsBack = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: MONTHS_BACK_MAX + 1 }, (_, back) =>
    monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)),
  );
};

/** @returns the month that a link asks for, when there can be one; else this one */
export const monthAsked = (asked: string | null, now: number): string =>
  monthsBack(now).find((month) => month === asked) ?? monthOf(now);

/** @returns when the next month begins, RFC 3339: then the count starts again */
export const resetOf = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
};

/** @returns `November 2026` in that language */
export const monthName = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    Date.parse(`${month}-01`),
  );

/** @returns `21 November` in that language, for a day as `2026-11-21` */
export const dayName = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day));
