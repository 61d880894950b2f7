import type { OptionText } from "../option-text.ts";

/** Namen der Optionen für Wasserzeichen und Änderungen an PDFs. */
export const paperNames: Readonly<Record<string, OptionText>> = {
  watermark_text: { title: "Wasserzeichen als Text", hint: "Steht über jeder Seite oder über dem Bild." },
  watermark_upload_id: { title: "Wasserzeichen als Datei", hint: "Ein Bild; für PDF auch die erste Seite eines PDFs." },
  watermark_position: {
    title: "Stelle des Wasserzeichens",
    hint: "Standard: in der Mitte.",
    choices: {
      center: "Mitte",
      top: "Oben",
      bottom: "Unten",
      left: "Links",
      right: "Rechts",
      top_left: "Oben links",
      top_right: "Oben rechts",
      bottom_left: "Unten links",
      bottom_right: "Unten rechts",
      tile: "Überall wiederholt",
    },
  },
  watermark_opacity: { title: "Deckkraft des Wasserzeichens", hint: "1 deckt ganz." },
  watermark_size: { title: "Breite des Wasserzeichens (%)", hint: "Prozent der Breite von Seite oder Bild." },
  watermark_font_size: { title: "Schriftgröße des Wasserzeichens (Punkt)", hint: "Gilt statt der Breite." },
  watermark_rotation: { title: "Drehung des Wasserzeichens (Grad)", hint: "Im Uhrzeigersinn." },
  watermark_color: { title: "Textfarbe des Wasserzeichens", hint: "Zum Beispiel #ff0000." },
  watermark_layer: {
    title: "Ebene des Wasserzeichens",
    hint: "Unter dem Inhalt wird es von ihm verdeckt.",
    choices: { above: "Über dem Inhalt", below: "Unter dem Inhalt" },
  },
  watermark_pages: { title: "Seiten mit Wasserzeichen", hint: "Zum Beispiel 1-3,7. Standard: alle." },
  page_number_format: { title: "Form der Seitenzahlen", hint: "Zum Beispiel {page} / {pages}." },
  page_number_position: {
    title: "Stelle der Seitenzahlen",
    hint: "Standard: unten.",
    choices: {
      bottom: "Unten",
      bottom_left: "Unten links",
      bottom_right: "Unten rechts",
      top: "Oben",
      top_left: "Oben links",
      top_right: "Oben rechts",
    },
  },
  page_number_start: { title: "Erste Seitenzahl", hint: "Die Zahl der ersten nummerierten Seite." },
  page_number_pages: { title: "Seiten mit Zahl", hint: "Zum Beispiel 2-. Standard: alle." },
  crop_margins: {
    title: "Ränder ausblenden (mm)",
    hint: "Zum Beispiel 10, oder oben, rechts, unten, links: 10,15,10,15.",
  },
  pages_per_sheet: {
    title: "Seiten je Blatt",
    hint: "Mehrere Seiten auf jedem Blatt.",
    choices: { 2: "2", 4: "4", 6: "6", 9: "9" },
  },
  title: { title: "Titel", hint: "In den Angaben zum PDF." },
  author: { title: "Verfasser", hint: "In den Angaben zum PDF." },
  subject: { title: "Thema", hint: "In den Angaben zum PDF." },
  keywords: { title: "Stichwörter", hint: "In den Angaben zum PDF, durch Kommas getrennt." },
  bookmarks: { title: "Lesezeichen (JSON)", hint: 'Zum Beispiel [{"title": "Kapitel 1", "page": 1}].' },
  form_data: {
    title: "Werte des Formulars (JSON)",
    hint: 'Zum Beispiel {"name": "Ada"}. PDF zu JSON listet die Felder auf.',
  },
  attachment_upload_id: { title: "Datei anhängen", hint: "In jedem Format. Sie wird Teil des PDFs." },
  facturx_upload_id: {
    title: "XML der Rechnung (Factur-X, ZUGFeRD)",
    hint: "Das Ergebnis ist PDF/A-3b mit dem XML als Anhang.",
  },
};
