import { createHash } from "node:crypto";
import { JobError } from "../../../domain/errors.ts";
import { type Component, escaped, folded, type Property, partsOf, readComponents, unescaped } from "./lines.ts";
import { type CalendarRecord, fieldReader, limited, valuesOf } from "./records.ts";

/** The fields of an entry, in column order, with the names that other programs use. */
const FIELDS = {
  type: [],
  summary: ["subject", "title", "name", "event"],
  start: ["start date", "start_date", "dtstart", "begin", "start time and date"],
  start_time: ["start time"],
  end: ["end date", "end_date", "dtend", "due"],
  end_time: ["end time"],
  all_day: ["all day event", "all day"],
  timezone: ["time zone", "tz"],
  location: ["where", "place"],
  description: ["notes", "details", "body"],
  organizer: ["meeting organizer"],
  attendees: ["required attendees", "guests"],
  categories: ["category", "tags"],
  status: [],
  rrule: ["recurrence"],
  url: ["link"],
  uid: ["id"],
  created: [],
  modified: ["last modified"],
} as const;

export const eventFields: readonly string[] = Object.keys(FIELDS).filter((field) => !field.endsWith("_time"));

/** Properties that have a field; all others are kept in `other`, as lines. */
const PROPERTIES: Readonly<Record<string, string>> = {
  SUMMARY: "summary",
  LOCATION: "location",
  DESCRIPTION: "description",
  STATUS: "status",
  RRULE: "rrule",
  URL: "url",
  UID: "uid",
  CATEGORIES: "categories",
  ORGANIZER: "organizer",
  ATTENDEE: "attendees",
  CREATED: "created",
  "LAST-MODIFIED": "modified",
  DTSTART: "start",
  DTEND: "end",
  DUE: "end",
};

const ENTRIES = new Set(["VEVENT", "VTODO", "VJOURNAL"]);
const TIMES = new Set(["start", "end", "created", "modified"]);
/** Rules and addresses are not text values: a backslash in them is not an escape. */
const RAW = new Set(["rrule", "url", "uid", "organizer", "attendees"]);

/** @returns the entries of the calendars @throws JobError `source_corrupt` */
export const readIcs = (text: string): CalendarRecord[] =>
  limited(
    readComponents(text)
      .flatMap(({ components }) => components)
      .filter(({ name }) => ENTRIES.has(name))
      .map(recordOf),
  );

const recordOf = ({ name, properties, components }: Component): CalendarRecord => {
  const record: Record<string, string[]> = { type: [name.slice(1).toLowerCase()] };
  for (const property of properties) {
    const field = PROPERTIES[property.name] ?? "other";
    const values = record[field] ?? [];
    record[field] = values;
    for (const value of valuesIn(property, field)) {
      values.push(value);
    }
    const zone = property.params.get("TZID")?.[0];
    if (field === "start") {
      record.all_day = [String(/^\d{8}$/.test(property.value.trim()))];
      record.timezone = zone === undefined ? [] : [zone];
    }
  }
  const inner = components.flatMap(linesOf);
  return { ...flat(record), ...((record.other ?? inner.length) && { other: [...(record.other ?? []), ...inner] }) };
};

const valuesIn = (property: Property, field: string): string[] => {
  if (field === "other") {
    return [property.line];
  }
  if (TIMES.has(field)) {
    return [isoTime(property.value.trim())];
  }
  if (field === "attendees" || field === "organizer") {
    return [person(property)];
  }
  return field === "categories"
    ? partsOf(property.value, ",")
    : [RAW.has(field) ? property.value : unescaped(property.value)];
};

/** @returns `Ana <ana@example.com>`; without a name, the address as it is */
const person = ({ params, value }: Property): string => {
  const name =
    params
      .get("CN")?.[0]
      ?.replaceAll(/[<>"\r\n]/g, "")
      .trim() ?? "";
  return name === "" ? value : `${name} <${value.replace(/^mailto:/i, "")}>`;
};

/** A field keeps several values only when its type allows a list. */
const LISTS = new Set(["attendees", "categories", "other"]);

const flat = (record: Readonly<Record<string, readonly string[]>>): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, LISTS.has(field) ? values : values.join(" ")]),
  );

const linesOf = ({ name, properties, components }: Component): string[] => [
  `BEGIN:${name}`,
  ...properties.map(({ line }) => line),
  ...components.flatMap(linesOf),
  `END:${name}`,
];

/** @returns `20250101T120000Z` in ISO 8601; other values unchanged */
const isoTime = (value: string): string =>
  value
    .replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/, "$1-$2-$3T$4:$5:$6$7");

const readFields = fieldReader(FIELDS);

/** @returns the entries as a calendar @throws JobError `unsupported_feature` without a field for a title or a time */
export const writeIcs = (records: readonly CalendarRecord[]): string => {
  const read = records.map((record) => ({ fields: readFields(record), other: valuesOf(record, "other") }));
  if (!read.some(({ fields }) => fields.start !== undefined && fields.summary !== undefined)) {
    const detail =
      "A calendar needs columns for the title and the start, such as `summary` and `start` or `Subject` and `Start Date`.";
    throw new JobError("unsupported_feature", detail);
  }
  const entries = read.flatMap(({ fields, other }, index) => entryLines(fields, other, index));
  return folded(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//anyform//calendar//EN", ...entries, "END:VCALENDAR"]);
};

const entryLines = (record: CalendarRecord, other: readonly string[], index: number): string[] => {
  const one = (field: string): string => valuesOf(record, field)[0] ?? "";
  const type = `V${(one("type") || "event").toUpperCase()}`;
  const name = ENTRIES.has(type) ? type : "VEVENT";
  const start = icsTime(one("start"), one("start_time"), one("timezone"));
  const end = icsTime(one("end") || (one("end_time") && one("start")), one("end_time"), one("timezone"));
  const uid =
    one("uid") ||
    createHash("sha256")
      .update(JSON.stringify([index, record]))
      .digest("hex")
      .slice(0, 32);
  const texts = ["summary", "location", "description", "status"] as const;
  const people = (field: string, property: string) =>
    valuesOf(record, field).map((value) => personLine(property, value));
  return [
    `BEGIN:${name}`,
    `UID:${uid}`,
    ...(other.some((line) => line.startsWith("DTSTAMP")) ? [] : ["DTSTAMP:19700101T000000Z"]),
    ...(start === undefined ? [] : [`DTSTART${start}`]),
    ...(end === undefined ? [] : [`${name === "VTODO" ? "DUE" : "DTEND"}${end}`]),
    ...texts.filter((field) => one(field) !== "").map((field) => `${field.toUpperCase()}:${escaped(one(field))}`),
    ...(one("categories") === "" ? [] : [`CATEGORIES:${valuesOf(record, "categories").map(escaped).join(",")}`]),
    ...(one("rrule") === "" ? [] : [`RRULE:${one("rrule").replaceAll(/[\r\n]/g, "")}`]),
    ...(one("url") === "" ? [] : [`URL:${one("url").replaceAll(/[\r\n]/g, "")}`]),
    ...people("organizer", "ORGANIZER").map(oneLine),
    ...people("attendees", "ATTENDEE").map(oneLine),
    ...["created", "modified"].flatMap((field) => {
      const time = icsTime(one(field), "", "");
      return time === undefined ? [] : [`${field === "created" ? "CREATED" : "LAST-MODIFIED"}${time}`];
    }),
    ...other.map(oneLine),
    `END:${name}`,
  ];
};

/** @returns the property of a person, whose value is an address, or a name and an address */
const personLine = (property: string, value: string): string => {
  const [, name = "", inner = value] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(value) ?? [];
  const plain = name.replaceAll('"', "").trim();
  const parameter = plain === "" ? "" : `;CN=${/[:;,]/.test(plain) ? `"${plain}"` : plain}`;
  return `${property}${parameter}:${inner.includes(":") ? inner : `mailto:${inner}`}`;
};

const oneLine = (line: string): string => line.replaceAll(/[\r\n]+/g, " ");

/** @returns the property's parameters and value, such as `;VALUE=DATE:20250101`; undefined when there is no date */
const icsTime = (date: string, time: string, zone: string): string | undefined => {
  const [, year, month, day, rest = ""] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/.exec(date.trim()) ?? american(date) ?? [];
  if (year === undefined) {
    return undefined;
  }
  const clock = /^[T ]?\s*(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([AP]M)?\s*(Z)?/i.exec(rest || time);
  if (clock === null) {
    return `;VALUE=DATE:${year}${month}${day}`;
  }
  const [, hour = "0", minute = "00", second = "00", half = "", utc = ""] = clock;
  const hours = (Number(hour) % (half ? 12 : 24)) + (half.toUpperCase() === "PM" ? 12 : 0);
  const tzid = zone !== "" && utc === "" ? `;TZID=${zone.replaceAll(/[";:,\r\n]/g, "")}` : "";
  return `${tzid}:${year}${month}${day}T${String(hours).padStart(2, "0")}${minute}${second}${utc.toUpperCase()}`;
};

/** Google's and Outlook's calendars use the format 05/30/2025. */
const american = (date: string): string[] | undefined => {
  const [, month = "", day = "", year = "", rest = ""] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/.exec(date.trim()) ?? [];
  return year === "" ? undefined : ["", year, month.padStart(2, "0"), day.padStart(2, "0"), rest];
};
