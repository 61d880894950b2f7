import type { landing as source } from "../en/landing.ts";

export const landing: typeof source = {
  title: "Dateien aller Art umwandeln",
  lead: "Über 200 Formate für Dokumente, Bilder, Audio, Video und Daten, im Browser oder mit einem API-Aufruf. Quelloffen und ohne Werbung.",
  samples: "Keine Datei zur Hand? Probieren Sie eine von diesen:",
  sample: { photo: "Ein Foto (HEIC)", document: "Ein Brief (DOCX)", film: "Ein Video (MOV)" },
  popular: "Häufige Umwandlungen",
  pair: (from, to) => `${from} in ${to}`,
  allFormats: "Alle Formate und Umwandlungen",
  api: "Ein Aufruf aus Ihrem Programm",
  apiLead:
    "Datei senden, Zielformat nennen, Ergebnis erhalten. Große Dateien und lange Umwandlungen funktionieren ebenso.",
  docs: "Erste Schritte mit eigenem Schlüssel",
  privacy: "Vertraulich",
  privacyText:
    "Jede Datei wird in einer abgeschotteten Umgebung ohne Netzzugang umgewandelt. Dateien werden nach höchstens 24 Stunden gelöscht und nicht weitergegeben.",
  price: "Kostenlos anfangen",
  priceText: (free, paid) =>
    `${free} Anfragen im Monat sind kostenlos. ${paid} Anfragen kosten 29 € im Monat. Umwandlungen, die durch unsere Fehler scheitern, zählen nicht.`,
  own: "Selbst betreiben",
  ownText:
    "Mit einem Befehl auf dem eigenen Rechner oder Server, oder auf AWS im eigenen Konto. Der Quelltext ist offen (Apache 2.0).",
};
