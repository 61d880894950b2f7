import type { status as source } from "../en/status.ts";

export const status: typeof source = {
  title: "Zustand",
  lead: "Ob dieser Dienst verfügbar ist und wie gut seine Konverter gearbeitet haben.",
  operational: "Der Dienst ist in Betrieb.",
  delayed: (count) =>
    count === 1
      ? "Der Dienst ist in Betrieb, aber eine Ihrer Umwandlungen wartet seit mehr als einer Minute."
      : `Der Dienst ist in Betrieb, aber ${count} Ihrer Umwandlungen warten seit mehr als einer Minute.`,
  down: "Der Dienst antwortet nicht.",
  downHint:
    "Es wird von selbst wieder versucht. Angenommene Aufträge sind nicht verloren: Sie gehen weiter, wenn der Dienst wieder da ist.",
  checked: (when) => `Geprüft ${when}.`,
  refresh: "Aktualisieren",
  checking: "Wird geprüft …",
  yours: "Ihre Umwandlungen",
  noneUnfinished: "Keine in Arbeit.",
  unfinished: (count) => `${count} in Arbeit.`,
  lastEnd: (when) => `Die letzte endete ${when}.`,
  families: "Formate",
  formats: (count) => (count === 1 ? "1 Format" : `${count} Formate`),
  missing: (names) => `Kein Werkzeug ist installiert für: ${names}.`,
  missingHint: "Der Betreiber kann mit `npm run engines` mehr installieren.",
  history: "Die letzten 90 Tage",
  historyLead: "Erfolg und Dauer der Umwandlungen je Konverter. Fehlschläge wegen der Datei zählen nicht.",
  historyEmpty: "Keine Umwandlungen in den letzten 90 Tagen.",
  success: (share) => `${share} Erfolg`,
  latency: (median, p95) => `Median ${median}, 95 % in ${p95}`,
  barsOf: (engine, days, share, worst) =>
    `${engine}: ${share} Erfolg an ${days === 1 ? "einem Tag" : `${days} Tagen`} mit Umwandlungen.${worst === undefined ? "" : ` Am niedrigsten: ${worst}.`}`,
  day: (date, share) => `${date}: ${share}`,
  dayNone: (date) => `${date}: keine Umwandlungen`,
  legend: { good: "99,5 % und mehr", warning: "95 % und mehr", bad: "Unter 95 %", none: "Keine Umwandlungen" },
};
