import type { status as source } from "../en/status.ts";

export const status: typeof source = {
  title: "Zustand",
  lead: "Ob dieser Dienst antwortet und womit er umwandelt.",
  well: "Alles in Ordnung: Der Dienst antwortet.",
  late: (count) =>
    count === 1
      ? "Der Dienst antwortet, aber eine Ihrer Umwandlungen wartet seit mehr als einer Minute."
      : `Der Dienst antwortet, aber ${count} Ihrer Umwandlungen warten seit mehr als einer Minute.`,
  down: "Der Dienst antwortet nicht.",
  downHint:
    "Er wird von selbst wieder gefragt. Was angenommen wurde, ist nicht verloren: Es geht weiter, wenn der Dienst wieder da ist.",
  asked: (when) => `Gefragt ${when}.`,
  refresh: "Noch einmal fragen",
  asking: "Wird gefragt …",
  yours: "Ihre Umwandlungen",
  nothingWaits: "Keine davon wartet.",
  unfinished: (count) => (count === 1 ? "Eine ist in Arbeit." : `${count} sind in Arbeit.`),
  lastEnd: (when) => `Die letzte endete ${when}.`,
  families: "Was er umwandelt",
  formats: (count) => (count === 1 ? "1 Format" : `${count} Formate`),
  missing: (names) => `Hier ist nichts installiert für: ${names}.`,
  missingHint: "Der Betreiber installiert mehr mit `npm run engines`.",
  engines: "Werkzeuge",
  enginesLead: (count) => (count === 1 ? "Ein Werkzeug tut die Arbeit." : `${count} Werkzeuge tun die Arbeit.`),
  engine: "Werkzeug",
  version: "Version",
  ofTheSystem: "die des Systems",
  serves: "Was daran hängt",
  family: (name, formats) => `${name} (${formats})`,
};
