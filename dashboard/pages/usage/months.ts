/** Months of the UTC calendar, as `2026-11`. */

/** Months before the current one for which the service reports usage. */
const MONTHS_BACK_MAX = 24;

export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/**
 * @param since the month in which the account was created. @default all months that the service reports
 * @returns the current month and those before it, newest first
 */
export const monthsBack = (now: number, since = ""): string[] => {
  const date = new Date(now);
  return Array.from({ length: MONTHS_BACK_MAX + 1 }, (_, back) =>
    monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)),
  ).filter((month, back) => back === 0 || month >= since);
};

/** @returns the month in the URL's query if it is available, otherwise the current month */
export const requestedMonth = (query: string | null, now: number): string =>
  monthsBack(now).find((month) => month === query) ?? monthOf(now);

/** @returns when the next month begins and the quota resets, RFC 3339 */
export const resetOf = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
};

/** @returns `November 2026`, localized */
export const monthName = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    Date.parse(`${month}-01`),
  );

/** @param day such as `2026-11-21` @returns `21 November`, localized */
export const dayName = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day));
