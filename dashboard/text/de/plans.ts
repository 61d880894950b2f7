import type { plans as source } from "../en/plans.ts";

export const plans: typeof source = {
  title: "Tarife",
  lead: "Beginnen Sie kostenlos, und wechseln Sie, wann immer Sie möchten.",
  firstLead: "Willkommen! Wählen Sie zuerst einen Tarif. Free kostet nichts, und Sie können jederzeit wechseln.",
  names: { free: "Free", api: "API", enterprise: "Enterprise", unlimited: "Unbegrenzt" },
  price: (euros) => `${euros} €`,
  perMonth: "im Monat",
  custom: "Nach Vereinbarung",
  requests: (count) => `${count} Anfragen im Monat`,
  customRequests: "So viele Anfragen, wie Sie brauchen",
  features: {
    free: ["Alle Formate und Optionen", "Dateien bis 500\u00a0MB, Videos bis 5\u00a0GB", "API-Schlüssel und Webhooks"],
    api: ["Alles aus Free", "Genug für Programme, die täglich umwandeln", "Monatlich kündbar"],
    enterprise: ["Alles aus API", "Keine Grenze je Sekunde", "Bedingungen und Rechnung nach Vereinbarung"],
  },
  unlimitedNotice:
    "Ihr Tarif ist „Unbegrenzt“: keine monatliche Grenze und keine Grenze je Sekunde. Nur der Betreiber dieses Dienstes kann ihn ändern.",
  countsWhat:
    "Eine Umwandlung in einem Aufruf zählt als eine Anfrage; Hochladen, Umwandeln und Herunterladen als einzelne Aufrufe zählen je als eine; Herunterladen wird nie abgelehnt.",
  current: "Ihr Tarif",
  requested: "Angefragt",
  choose: { free: "Mit Free beginnen", api: "API wählen", enterprise: "Enterprise anfragen" },
  change: { free: "Zu Free wechseln", api: "Zu API wechseln", enterprise: "Enterprise anfragen" },
  withdraw: "Anfrage zurückziehen",
  requestedNotice: (plan, date) =>
    `Sie haben ${plan} am ${date} angefragt. Der Betreiber dieses Dienstes antwortet per E-Mail; bis dahin bleibt Ihr Tarif, wie er ist.`,
  goOn: "Weiter zu Ihren API-Schlüsseln",
  requestSent: (plan) => `${plan} wurde beim Betreiber angefragt.`,
  active: (plan) => `Ihr Tarif ist jetzt ${plan}.`,
  requestTitle: (plan) => `${plan} anfragen`,
  requestApi:
    "Hier wird nichts bezahlt: Der Betreiber dieses Dienstes stellt den Tarif ein und sagt Ihnen, wie er bezahlt wird.",
  requestEnterprise: "Schreiben Sie dem Betreiber dieses Dienstes, was Sie brauchen. Die Antwort kommt per E-Mail.",
  note: "Nachricht an den Betreiber",
  noteHint: "Zum Beispiel, wie viele Anfragen im Monat oder bis wann.",
  sendRequest: "Anfrage senden",
  downTitle: "Zu Free wechseln?",
  down: (count) => `Sie haben dann ab sofort ${count} Anfragen im Monat.`,
  downPaid:
    "Das Abonnement beenden Sie auf der Seite des Zahlungsdienstes, zu der Sie jetzt gelangen. Was bezahlt ist, gilt bis zum Ende.",
  goToPayment: "Zum Zahlungsdienst",
};
