import type { en } from "./en.ts";

export const de: typeof en = {
  heading: (source, target) => `${source} in ${target} umwandeln`,
  lead: (source, target) =>
    `Legen Sie ${source}-Dateien ab, wählen Sie „Umwandeln“ und laden Sie die ${target}-Dateien herunter. Vorher wird nichts hochgeladen.`,
  description: (source, target) =>
    `${source} in ${target} umwandeln, im Browser oder mit einem API-Aufruf. Quelloffen und ohne Werbung; Dateien werden nach höchstens 24 Stunden gelöscht.`,
  result: "Das Ergebnis",
  formats: (source, target) => `Aus ${source} wird ${target}.`,
  keepsAll: "Alles, was das Zielformat speichern kann, bleibt erhalten.",
  drops: (parts) => `Nicht erhalten bleiben: ${parts}.`,
  merges: "Mehrere Dateien lassen sich zu einer zusammenfügen.",
  bytesMax: (size) => `Dateien bis ${size}.`,
  options: "Optionen",
  optionsLead: "Alle Optionen sind freiwillig. In einer API-Anfrage gilt der Wert unter „Name“.",
  option: "Option",
  name: "Name",
  allowed: "Werte",
  initial: "Vorgabe",
  notSet: "Nicht gesetzt",
  hint: "Beschreibung",
  code: "Mit der API",
  codeLead: "Eine Anfrage wandelt eine Datei um. Einen Schlüssel gibt es unter „API-Schlüssel“.",
  privacy: "Ihre Dateien",
  privacyText:
    "Dateien werden auf diesem Server umgewandelt, jede in einer abgeschotteten Umgebung ohne Netzzugang, und nicht weitergegeben. Sie werden nach höchstens 24 Stunden gelöscht, oder nach dem ersten Herunterladen, wenn Sie das in Ihrem Konto so einstellen.",
  others: (source) => `Weitere Umwandlungen von ${source}`,
};
