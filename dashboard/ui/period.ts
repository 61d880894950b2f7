const DAY_MS = 86_400_000;

/** Only what a date field contains: the query is untrusted input. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @returns the parameters of the API for the days `from` and `to` of a query, both inclusive, in UTC */
export const periodOf = (query: URLSearchParams): { created_after?: string; created_before?: string } => {
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text));
  return {
    ...(isDay(from) && { created_after: from }),
    ...(isDay(to) && { created_before: new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10) }),
  };
};
