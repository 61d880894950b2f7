import type { convert as source } from "../en/convert.ts";

export const convert: typeof source = {
  title: "Dateien umwandeln",
  lead: "Legen Sie Dateien ab, wählen Sie, was aus ihnen wird, und nehmen Sie die Ergebnisse mit. Gesendet wird erst, wenn Sie auf „Umwandeln“ drücken.",
  drop: "Legen Sie Dateien oder Ordner hier ab, oder irgendwo auf dieser Seite",
  dropMore: "oder weitere irgendwo ablegen",
  dropNow: "Loslassen, um sie hinzuzufügen",
  choose: "Dateien auswählen",
  chooseFolder: "Ordner auswählen",
  takePhoto: "Foto aufnehmen",
  pasteHint: "Sie können Dateien, Bilder und Adressen auch einfügen.",
  url: "Oder von einer Adresse im Netz",
  urlAdd: "Hinzufügen",
  urlWrong: "Eine Adresse beginnt mit https:// oder http://.",
  added: (count) => (count === 1 ? "1 Datei hinzugefügt" : `${count} Dateien hinzugefügt`),
  cut: (max) => `Die Liste fasst ${max} Dateien; die übrigen wurden weggelassen.`,
  unreadable: (count) =>
    count === 1
      ? "1 Datei oder Ordner konnte nicht gelesen werden."
      : `${count} Dateien oder Ordner konnten nicht gelesen werden.`,
  noFiles: "In dem, was Sie abgelegt haben, war keine Datei.",

  list: "Dateien",
  files: (count) => (count === 1 ? "1 Datei" : `${count} Dateien`),
  convert: (count) => (count === 1 ? "1 Datei umwandeln" : `${count} Dateien umwandeln`),
  convertNone: "Umwandeln",
  chooseFirst: "Wählen Sie zuerst, was aus den Dateien werden soll.",
  cancelAll: "Alle abbrechen",
  startOver: "Von vorn beginnen",
  startOverAsk:
    "Alle Dateien aus der Liste entfernen? Ergebnisse, die Sie nicht gespeichert haben, bleiben unter „Aufträge“, bis sie ablaufen.",
  startOverAskVisitor:
    "Alle Dateien aus der Liste entfernen? Ergebnisse, die Sie nicht gespeichert haben, gehen verloren.",
  targetForAll: "Alle umwandeln in …",
  zip: "Alle als ZIP herunterladen",
  zipCount: (done, all) => `${done} von ${all} gepackt`,
  zipName: "umgewandelt.zip",
  mergeOpen: "Zu einer Datei verbinden …",
  mergeTitle: (count) => `${count} Dateien zu einer verbinden`,
  mergeHint: "Sie werden in der Reihenfolge der Liste verbunden.",
  mergeName: (count, format) => `${format} aus ${count} Dateien`,
  summary: (done, all) => `${done} von ${all} umgewandelt`,
  finished: (done, failed) =>
    failed === 0
      ? done === 1
        ? "1 Datei wurde umgewandelt."
        : `${done} Dateien wurden umgewandelt.`
      : `${done} umgewandelt, ${failed} fehlgeschlagen.`,

  chooseTarget: "Format wählen",
  chooseTargetFor: (name) => `Wählen, was aus ${name} wird`,
  becomes: (name, target) => `Aus ${name} wird ${target}. Ändern`,
  targetTitle: (format) => `Was soll aus ${format} werden?`,
  targetTitleAll: "Was soll aus allen Dateien werden?",
  search: "Formate suchen",
  searchHint: "Nach Name oder Endung, zum Beispiel pdf. Die Eingabetaste nimmt das erste.",
  nothingFound: (query) => `Hier heißt nichts „${query}“.`,
  forAllOf: (format, count) => `Für alle ${count} ${format}-Dateien`,
  unknownFormat: "Format am Namen nicht zu erkennen",
  nothingFromFormat: "Aus diesem Format lässt sich hier nichts machen",
  fromAddress: "Aus dem Netz",
  lookInto: "In die Datei sehen",
  lookIntoHint: "Sendet die Datei, um zu sehen, was sie ist; das zählt als eine Anfrage.",
  looking: "Der Name wird angesehen …",

  step: {
    waiting: "Bereit",
    queued: "Wartet, bis sie an der Reihe ist",
    uploading: "Wird gesendet",
    fetching: "Wird geholt",
    converting: "Wird umgewandelt",
    done: "Fertig",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },
  percent: (step, percent) => `${step}: ${percent}`,
  progressOf: (name) => `Fortschritt von ${name}`,
  cancelOne: (name) => `${name} abbrechen`,
  remove: "Entfernen",
  removeOne: (name) => `${name} entfernen`,
  retryOne: (name) => `${name} noch einmal versuchen`,
  downloadOne: (name) => `${name} herunterladen`,
  preview: "Vorschau",
  previewOne: (name) => `Vorschau von ${name}`,
  downloadHint: "Herunterladen, Vorschau und ZIP eines Ergebnisses zählen zusammen als eine Anfrage.",
  options: "Optionen",
  optionsOne: (name) => `Optionen für ${name}`,
  optionsSet: (count) => (count === 1 ? "1 Option" : `${count} Optionen`),
  warnings: "Gut zu wissen",
  tooLargeVisitor: (max) => `Ohne Konto darf eine Datei bis zu ${max} haben.`,
  tooLarge: (max) => `Diese Umwandlung nimmt Dateien bis ${max}.`,
  brokenOff: "Die Verbindung brach ab. Versuchen Sie es noch einmal, dann geht es dort weiter.",
  otherTargets: "Es ist doch ein anderes Format. Bitte wählen Sie neu.",

  visitor: (files, size) =>
    `Sie können es ohne Konto versuchen: ${files} Dateien am Tag, jede bis ${size}. Nach 24 Stunden werden sie gelöscht.`,
  needsAccount:
    "Wählen Sie jetzt Dateien und Formate; zum Umwandeln melden Sie sich mit Ihrer E-Mail-Adresse an. Ihre Dateien bleiben in der Liste.",
  welcomeBack: (count) =>
    count === 1
      ? "Sie sind angemeldet, und Ihre Datei ist noch hier."
      : `Sie sind angemeldet, und Ihre ${count} Dateien sind noch hier.`,
  signIn: "Anmelden",
  seePlans: "Tarife ansehen",
  quotaVisitor: "Das war für heute alles ohne Konto. Melden Sie sich an, und es geht mit diesen Dateien weiter.",
  shortage: (started, remaining) =>
    `Es sind noch ${remaining} Anfragen übrig. ${started === 1 ? "1 Datei wurde begonnen, damit auch ihr Ergebnis" : `${started} Dateien wurden begonnen, damit auch ihre Ergebnisse`} heruntergeladen werden ${started === 1 ? "kann" : "können"}; die übrigen warten in der Liste.`,
  halted: "Was noch nicht begonnen war, wartet in der Liste.",
};
