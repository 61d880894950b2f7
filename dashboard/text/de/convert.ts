import type { convert as source } from "../en/convert.ts";

export const convert: typeof source = {
  title: "Dateien umwandeln",
  lead: "Legen Sie Dateien ab, wählen Sie ein Format und laden Sie die Ergebnisse herunter. Hochgeladen wird erst, wenn Sie auf „Umwandeln“ drücken.",
  drop: "oder Dateien und Ordner irgendwo auf dieser Seite ablegen",
  dropMore: "oder weitere irgendwo ablegen",
  dropNow: "Loslassen, um sie hinzuzufügen",
  choose: "Dateien auswählen",
  chooseFolder: "Ordner auswählen",
  takePhoto: "Foto aufnehmen",
  pasteHint: "Sie können Dateien, Bilder und URLs auch einfügen.",
  url: "Oder eine Datei per URL hinzufügen",
  urlAdd: "Hinzufügen",
  urlWrong: "Geben Sie eine URL ein, die mit https:// oder http:// beginnt.",
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
  chooseFirst: "Wählen Sie zuerst ein Format.",
  cancelAll: "Alle abbrechen",
  clearList: "Liste leeren",
  clearListAsk:
    "Alle Dateien aus der Liste entfernen? Ergebnisse, die Sie nicht gespeichert haben, bleiben unter „Aufträge“, bis sie ablaufen.",
  clearListAskVisitor:
    "Alle Dateien aus der Liste entfernen? Ergebnisse, die Sie nicht gespeichert haben, gehen verloren.",
  targetForAll: "Alle umwandeln in …",
  zip: "Alle als ZIP herunterladen",
  zipCount: (done, all) => `${done} von ${all} wird gepackt`,
  zipName: "umgewandelt.zip",
  mergeOpen: "Zu einer Datei verbinden …",
  mergeTitle: (count) => `${count} Dateien zu einer verbinden`,
  mergeHint: "Sie werden in der Reihenfolge der Liste verbunden.",
  mergeAction: "Dateien verbinden",
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
  changeTarget: (name, target) => `Aus ${name} wird ${target}. Format ändern`,
  targetTitle: (format) => `Was soll aus ${format} werden?`,
  targetTitleAll: "Was soll aus allen Dateien werden?",
  search: "Formate suchen",
  searchHint: "Nach Name oder Endung, zum Beispiel pdf. Die Eingabetaste nimmt das erste.",
  nothingFound: (query) => `Kein Format passt zu „${query}“.`,
  forAllOf: (format, count) => `Für alle ${count} ${format}-Dateien`,
  usualTargets: "Häufig gewählt",
  unknownFormat: "Unbekanntes Format",
  nothingFromFormat: "Dieses Format lässt sich nicht umwandeln",
  fromUrl: "Von einer URL",
  detectFormat: "Format erkennen",
  detectFormatHint: "Lädt die Datei hoch, um ihr Format zu erkennen. Das zählt als eine Anfrage.",
  checkingFormat: "Format wird geprüft …",

  step: {
    waiting: "Bereit",
    queued: "Wartet",
    uploading: "Wird hochgeladen",
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
  warnings: "Hinweise",
  tooLargeVisitor: (max) => `Ohne Konto darf eine Datei bis zu ${max} haben.`,
  tooLarge: (max) => `Diese Umwandlung nimmt Dateien bis ${max}.`,
  connectionLost: "Die Verbindung ist abgebrochen. Versuchen Sie es noch einmal, um das Hochladen fortzusetzen.",
  otherTargets: "Der Inhalt der Datei hat ein anderes Format als ihr Name. Wählen Sie ein anderes Zielformat.",

  visitor: (files, size) =>
    `Sie können es ohne Konto versuchen: ${files} Dateien am Tag, jede bis ${size}. Nach 24 Stunden werden sie gelöscht.`,
  needsAccount: "Fügen Sie Dateien hinzu und wählen Sie Formate. Zum Umwandeln melden Sie sich an; Ihre Liste bleibt.",
  welcomeBack: (count) =>
    count === 1
      ? "Sie sind angemeldet, und Ihre Datei ist noch hier."
      : `Sie sind angemeldet, und Ihre ${count} Dateien sind noch hier.`,
  signIn: "Anmelden",
  viewPlans: "Tarife ansehen",
  quotaVisitor: "Sie haben die Tagesgrenze für Gäste erreicht. Melden Sie sich an, um mit diesen Dateien fortzufahren.",
  shortage: (started, remaining) =>
    `Es sind noch ${remaining} Anfragen übrig. ${started === 1 ? "1 Datei wurde begonnen, damit auch ihr Ergebnis" : `${started} Dateien wurden begonnen, damit auch ihre Ergebnisse`} heruntergeladen werden ${started === 1 ? "kann" : "können"}; die übrigen warten in der Liste.`,
  notStarted: "Was noch nicht begonnen war, wartet in der Liste.",
};
