import type { status as source } from "../en/status.ts";

export const status: typeof source = {
  title: "Zustand",
  lead: "Ob dieser Dienst verfügbar ist und womit er umwandelt.",
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
  engines: "Werkzeuge",
  enginesLead: (count) => (count === 1 ? "1 Werkzeug ist installiert." : `${count} Werkzeuge sind installiert.`),
  engine: "Werkzeug",
  version: "Version",
  systemVersion: "System",
  formatsColumn: "Formate",
  showFormats: "Anzeigen",
  showFormatsOf: (engine) => `Formate von ${engine} anzeigen`,
  family: (name, formats) => `${name} (${formats})`,
};
