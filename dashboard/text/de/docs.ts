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
  more: {
    title: "3. Ihre Anbindung bauen",
    wait: "Auf das Ergebnis warten",
    waitText:
      "Mit wait=25 kommt die Antwort, wenn die Umwandlung endet, sonst nach 25 Sekunden mit dem Auftrag, wie er dann steht. Fragen Sie wieder, bis er beendet ist.",
    idempotency: "Sicher wiederholen",
    idempotencyText:
      "Wenn die Verbindung abbricht, wissen Sie nicht, ob die Anfrage angenommen wurde. Senden Sie sie mit demselben Idempotency-Key noch einmal: Sie wird nur einmal ausgeführt und zählt einmal.",
    webhooks: "Webhooks",
    webhooksText:
      "Statt zu fragen, lassen Sie einen Webhook benachrichtigen, wenn ein Auftrag endet: Nennen Sie eine webhook_url beim Auftrag, oder legen Sie eine für alle fest. Jede Nachricht ist nach Standard Webhooks signiert.",
    webhooksLink: "Webhooks einrichten",
    limits: "Grenzen",
    limitsText:
      "Uploads, Umwandlungen und Downloads zählen zum Monat. Jede Antwort sagt in RateLimit, was übrig ist; darüber kommt 429 mit Retry-After.",
    examples: "Beispiel",
  },
  errors: {
    title: "Fehler",
    lead: "Fehler sind Problem Details (RFC 9457). Richten Sie sich nach code, der gleich bleibt; detail sagt, was falsch war und was richtig wäre.",
    request: "Fehler von Anfragen",
    job: "Fehler von Umwandlungen",
    upload: "Fehler von Uploads",
    code: "Code",
    status: "Status",
    meaning: "Bedeutung (englisch)",
    retry: "Wiederholen",
    show: "Alle Fehler zeigen",
  },
  links: {
    title: "Mehr",
    reference: "API-Referenz: jede Operation, zum Lesen und Ausprobieren",
    openapi: "OpenAPI-Dokument, für Generatoren von Clients",
    formats: "Formate: alle Umwandlungen und ihre Optionen",
    status: "Zustand des Dienstes",
  },
};
