import type { common as source } from "../en/common.ts";

export const common: typeof source = {
  cancel: "Abbrechen",
  close: "Schließen",
  copied: "Kopiert",
  copy: "Kopieren",
  copyFailed: "Bitte markieren und kopieren",
  download: "Herunterladen",
  justNow: "gerade eben",
  loading: "Wird geladen …",
  newer: "Neuere",
  no: "Nein",
  none: "Keine",
  older: "Ältere",
  retry: "Noch einmal",
  yes: "Ja",
  optional: "freiwillig",
  requestId: (id) => `Anfrage-ID: ${id}`,
  tryAgain: (wait) => `Versuchen Sie es in ${wait} noch einmal.`,
};
