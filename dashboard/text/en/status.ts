/** Texts of the status page. */
export const status = {
  title: "Status",
  lead: "Availability of this service, and the engines it converts with.",
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
  engines: "Engines",
  enginesLead: (count: number) => (count === 1 ? "1 engine is installed." : `${count} engines are installed.`),
  engine: "Engine",
  version: "Version",
  systemVersion: "System",
  formatsColumn: "Formats",
  showFormats: "Show",
  showFormatsOf: (engine: string) => `Show the formats of ${engine}`,
  family: (name: string, formats: number) => `${name} (${formats})`,
};
