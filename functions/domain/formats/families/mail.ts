import type { Format } from "../format.ts";

/** Messages, calendars and contacts. */
export const mailFormats = [
  {
    id: "mbox",
    name: "Mailbox",
    family: "mail",
    extensions: ["mbox", "mbx"],
    mediaTypes: ["application/mbox"],
    keeps: ["messages", "attachments"],
    // RFC 4155, appendix A: the line before each message ends with a time and a year.
    shape: /^From \S.*\d{1,2}:\d{2}.*\d{4}[^\n]*\r?\n[\w-]+:/,
  },
  {
    id: "mhtml",
    name: "Web page, complete (MHTML)",
    family: "document",
    extensions: ["mhtml", "mht"],
    mediaTypes: ["multipart/related", "application/x-mimearchive"],
    keeps: ["text", "layout", "styles", "pictures", "rows"],
    // The header of a message with several related parts, which nobody sent: no field of the transport. Each header line
    // matches in only one way, and the header ends at the first empty line.
    shape:
      /^\s*(?!(?:[^\r\n]+\r?\n){0,60}?(?:to|received|message-id|delivered-to|return-path):)(?:[^\r\n]+\r?\n){0,60}?content-type: *multipart\/related/i,
  },
  {
    id: "eml",
    name: "E-mail",
    family: "mail",
    extensions: ["eml", "emlx"],
    mediaTypes: ["message/rfc822"],
    keeps: ["text", "styles", "pictures", "messages", "attachments"],
    hub: true,
    // Header fields (RFC 5322), one of which every message has, and folded lines between them. Each line matches in
    // only one way: with `[^\n]*\r?\n` there would be two, and forty lines would take 2^40 steps.
    shape:
      /^\s*(?:[\w-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n){0,20}){0,40}(?:from:[^\n]*@|received: |mime-version: *1|message-id: *<|return-path: *<|delivered-to: )/i,
    named: "txt",
  },
  {
    id: "msg",
    name: "Outlook message",
    family: "mail",
    extensions: ["msg", "oft"],
    mediaTypes: ["application/vnd.ms-outlook"],
    keeps: ["text", "styles", "pictures", "messages", "attachments"],
    streams: ["__properties_version1.0", "__nameid_version1.0"],
  },
  {
    id: "ics",
    name: "iCalendar",
    family: "mail",
    extensions: ["ics", "ical", "ifb", "icalendar"],
    mediaTypes: ["text/calendar"],
    keeps: ["events"],
    shape: /^\s*BEGIN:VCALENDAR\s/i,
  },
  {
    id: "vcf",
    name: "vCard",
    family: "mail",
    extensions: ["vcf", "vcard"],
    mediaTypes: ["text/vcard", "text/x-vcard"],
    keeps: ["contacts", "pictures"],
    shape: /^\s*BEGIN:VCARD\s/i,
  },
] as const satisfies readonly Format[];
