import type { docs as source } from "../en/docs.ts";

export const docs: typeof source = {
  title: "Erste Schritte",
  lead: "Eine Datei senden, ein Format nennen, das Ergebnis erhalten: eine Anfrage, in jeder Sprache.",
  key: {
    title: "1. Ihr API-Schlüssel",
    filled:
      "Die Beispiele unten enthalten den Schlüssel, den Sie gerade erstellt haben. Er ist nur bekannt, bis diese Seite neu geladen wird.",
    prefix: (prefix) =>
      `Ihr neuester Schlüssel beginnt mit ${prefix}. Wir behalten keine Kopie: Fügen Sie ihn hier ein, damit er in den Beispielen steht. Er bleibt auf dieser Seite und wird nicht gespeichert.`,
    none: "Sie haben noch keinen Schlüssel.",
    signedOut:
      "Die Beispiele brauchen einen API-Schlüssel. Melden Sie sich an, um einen zu erstellen: Das dauert eine Minute und braucht kein Passwort.",
    paste: "API-Schlüssel",
    wrong: "Das ist kein vollständiger Schlüssel. Er beginnt mit af_live_ oder af_test_ und hat etwa 56 Zeichen.",
    pasted: "Die Beispiele enthalten Ihren Schlüssel.",
    create: "Schlüssel erstellen",
    name: "Erste Schritte",
    remove: "Schlüssel entfernen",
    signIn: "Anmelden",
  },
  run: {
    title: "2. Ein Beispiel ausführen",
    lead: "Jedes Beispiel ist vollständig: Es legt eine kleine Tabelle an, lässt sie in JSON umwandeln und speichert das Ergebnis. Das zählt als eine Anfrage, mit dem TypeScript-Client, der zuerst hochlädt, als drei.",
    language: "Programmiersprache",
    curl: "curl",
    client: "TypeScript",
    fetch: "fetch",
    requests: "Python",
    urllib: "Python ohne Pakete",
    clientNote:
      "Der Client wiederholt, was unterwegs scheitert, und sendet große Dateien in Teilen. Er wird aus dem Projekt gebaut: ",
    fetchNote: "Node 18 oder neuer. In einer Webseite hätte jeder den Schlüssel: Lassen Sie ihn auf einem Server.",
    requestsNote: "pip install requests",
    urllibNote: "Nur die Standardbibliothek.",
    curlNote: "Eine Shell und curl, sonst nichts.",
    code: (language) => `Beispiel: ${language}`,
  },
  next: {
    title: "3. In Ihr Programm einbauen",
    wait: "Auf das Ergebnis warten: mit einer Anfrage, wiederholt oder mit Ereignissen",
    idempotency: "Sicher wiederholen mit einem Idempotency-Key",
    webhooks: "Einen Webhook erhalten, wenn ein Auftrag endet, und seine Signatur prüfen",
    large: "Große Dateien in Teilen senden",
    limits: "Kontingente und Grenzen",
    errors: "Alle Fehler, und welche eine Wiederholung wert sind",
    reference: "API-Referenz: jede Operation lesen und ausprobieren",
    openapi: "OpenAPI-Dokument, für Client-Generatoren",
    formats: "Formate: alle Umwandlungen und ihre Optionen",
    status: "Status des Dienstes",
  },
};
