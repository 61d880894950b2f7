import { isDeepStrictEqual } from "node:util";
import { eventFields, readIcs, writeIcs } from "../../../functions/engines/mail/calendar/ics.ts";
import { type CalendarRecord, csvOf, readers } from "../../../functions/engines/mail/calendar/records.ts";
import { personFields, readVcf, writeVcf } from "../../../functions/engines/mail/calendar/vcf.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { broken, type Parser } from "../parser.ts";

interface Kind {
  readonly read: (text: string) => readonly CalendarRecord[];
  readonly write: (records: readonly CalendarRecord[]) => string;
  readonly fields: readonly string[];
}

/** What is written can be read again with the same content, and becomes a table with a header row. */
const holding =
  ({ read, write, fields }: Kind) =>
  (input: Buffer): void => {
    const records = read(input.toString());
    if (records.length === 0) {
      return;
    }
    const table = csvOf(records, fields);
    readers.csv?.(table, ",");
    const once = read(write(records));
    const twice = read(write(once));
    if (!isDeepStrictEqual(once, twice)) {
      const at = once.findIndex((record, index) => !isDeepStrictEqual(record, twice[index]));
      throw broken("Written records are read back unchanged", [once[at], twice[at]]);
    }
  };

const LINES = [
  "\r\n ",
  "\r\n",
  "\n\t",
  "=\r\n",
  ";",
  ":",
  ",",
  "\\",
  "\\n",
  "\\;",
  '"',
  ";ENCODING=QUOTED-PRINTABLE:",
  "=3D",
];

export const calendarParsers: readonly Parser[] = [
  {
    name: "ics",
    sources: ["ics.ts", "lines.ts", "records.ts"].map((file) => `functions/engines/mail/calendar/${file}`),
    samples: () => [
      sample("ics"),
      'BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nDTSTART;TZID="Europe/Berlin":20250102T030405\r\nDUE:20250103\r\nSUMMARY:a\\, b\\nc\r\nCATEGORIES:x,y\\,z\r\nATTENDEE;CN="A;B":mailto:a@b.c\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nX-A:1\r\nEND:VTODO\r\nEND:VCALENDAR\r\n',
    ],
    words: [
      ...LINES,
      "BEGIN:VEVENT",
      "END:VEVENT",
      "DTSTART;VALUE=DATE:20250101",
      "CATEGORIES:",
      "RRULE:FREQ=SECONDLY",
      "TZID=",
    ],
    hold: holding({ read: readIcs, write: writeIcs, fields: eventFields }),
  },
  {
    name: "vcf",
    sources: ["vcf.ts", "lines.ts", "records.ts"].map((file) => `functions/engines/mail/calendar/${file}`),
    samples: () => [
      sample("vcf"),
      "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Zo=\r\n=C3=AB;;;\r\nTEL;HOME;VOICE:+49\r\nADR:;;Street 1;Town;;1;DE\r\nitem1.EMAIL:a@b.c\r\nBDAY:19700101\r\nPHOTO;ENCODING=b:AAAA\r\nEND:VCARD\r\n",
    ],
    words: [
      ...LINES,
      "BEGIN:VCARD",
      "END:VCARD",
      "VERSION:4.0",
      "N:",
      "ADR;TYPE=home:",
      "item1.",
      "PREF",
      "CHARSET=utf-16:",
    ],
    hold: holding({ read: readVcf, write: writeVcf, fields: personFields }),
  },
];
