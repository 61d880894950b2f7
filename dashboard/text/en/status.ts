/** Texts of the status page. */
export const status = {
  title: "Status",
  lead: "Availability of this service and of its engines.",
  operational: "The service is operational.",
  delayed: (count: number) =>
    count === 1
      ? "The service is operational, but one of your conversions has been queued for more than a minute."
      : `The service is operational, but ${count} of your conversions have been queued for more than a minute.`,
  down: "The service is not responding.",
  downHint: "We retry automatically. Accepted jobs are not lost: they resume when the service is back.",
  checked: (when: string) => `Checked ${when}.`,
  refresh: "Refresh",
  checking: "Checking…",
  yours: "Your conversions",
  noneUnfinished: "None in progress.",
  unfinished: (count: number) => `${count} in progress.`,
  lastEnd: (when: string) => `The last one finished ${when}.`,
  families: "Formats",
  formats: (count: number) => (count === 1 ? "1 format" : `${count} formats`),
  missing: (names: string) => `No engine is installed for: ${names}.`,
  missingHint: "The operator can install more with `npm run engines`.",
  history: "Last 90 days",
  historyLead: "Success and duration of conversions by engine. Failures caused by the file are not counted.",
  historyEmpty: "No conversions in the last 90 days.",
  success: (share: string) => `${share} success`,
  latency: (median: string, p95: string) => `Median ${median}, 95% within ${p95}`,
  barsOf: (engine: string, days: number, share: string, worst: string | undefined) =>
    `${engine}: ${share} success on ${days === 1 ? "1 day" : `${days} days`} with conversions.${worst === undefined ? "" : ` Lowest: ${worst}.`}`,
  day: (date: string, share: string) => `${date}: ${share}`,
  dayNone: (date: string) => `${date}: no conversions`,
  legend: { good: "99.5% or more", warning: "95% or more", bad: "Less than 95%", none: "No conversions" },
};
