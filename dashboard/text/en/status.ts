/** Texts of the status page. */
export const status = {
  title: "Status",
  lead: "Whether this service answers, and what it converts with.",
  well: "All is well: the service answers.",
  late: (count: number) =>
    count === 1
      ? "The service answers, but one of your conversions has waited for more than a minute."
      : `The service answers, but ${count} of your conversions have waited for more than a minute.`,
  down: "The service does not answer.",
  downHint: "It is asked again by itself. What was accepted is not lost: it goes on when the service is back.",
  asked: (when: string) => `Asked ${when}.`,
  refresh: "Ask again",
  asking: "Asking…",
  yours: "Your conversions",
  nothingWaits: "None of them waits.",
  unfinished: (count: number) => (count === 1 ? "One is under way." : `${count} are under way.`),
  lastEnd: (when: string) => `The last one ended ${when}.`,
  families: "What it converts",
  formats: (count: number) => (count === 1 ? "1 format" : `${count} formats`),
  missing: (names: string) => `Nothing is installed here for: ${names}.`,
  missingHint: "The operator installs more with `npm run engines`.",
  engines: "Engines",
  enginesLead: (count: number) => (count === 1 ? "One engine does the work." : `${count} engines do the work.`),
  engine: "Engine",
  version: "Version",
  ofTheSystem: "of the system",
  serves: "What hangs on it",
  family: (name: string, formats: number) => `${name} (${formats})`,
};
