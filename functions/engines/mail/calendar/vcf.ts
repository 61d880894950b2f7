import { JobError } from "../../../domain/errors.ts";
import { escaped, folded, type Property, partsOf, readComponents, unescaped } from "./lines.ts";
import { type CalendarRecord, fieldReader, limited, valuesOf } from "./records.ts";

/** The fields of a person, in column order, with the names that other programs use. */
const FIELDS = {
  full_name: ["name", "full name", "display name", "file as"],
  prefix: ["name prefix", "title prefix"],
  given_name: ["first name", "given name", "firstname"],
  additional_names: ["middle name", "additional name"],
  family_name: ["last name", "family name", "surname", "lastname"],
  suffix: ["name suffix"],
  nickname: [],
  organization: ["organization name", "organisation", "company", "organization * - name"],
  title: ["job title", "organization title", "organization * - title"],
  email: ["e-mail address", "email address", "e-mail", "e-mail * address", "e-mail * - value"],
  phone: ["phone number", "mobile phone", "home phone", "business phone", "telephone", "mobile", "phone * - value"],
  phone_type: ["phone * - label", "phone * - type"],
  address: ["home address", "business address", "address * - formatted"],
  birthday: [],
  url: ["website", "web page", "website * - value"],
  note: ["notes"],
  categories: ["group membership", "labels", "tags"],
  uid: [],
} as const;

export const personFields: readonly string[] = Object.keys(FIELDS);

/** Properties with a single value, with their fields; all others are kept in `other`, as lines. */
const SINGLE: Readonly<Record<string, string>> = {
  FN: "full_name",
  NICKNAME: "nickname",
  TITLE: "title",
  BDAY: "birthday",
  NOTE: "note",
  UID: "uid",
};
const LISTED: Readonly<Record<string, string>> = { EMAIL: "email", TEL: "phone", URL: "url", CATEGORIES: "categories" };
const NAMES = ["family_name", "given_name", "additional_names", "prefix", "suffix"] as const;

/** @returns the persons of the cards @throws JobError `source_corrupt` */
export const readVcf = (text: string): CalendarRecord[] =>
  limited(
    readComponents(text)
      .filter(({ name }) => name === "VCARD")
      .map(({ properties }) => recordOf(properties)),
  );

const recordOf = (properties: readonly Property[]): CalendarRecord => {
  const record: Record<string, string | string[]> = {};
  const add = (field: string, values: readonly string[]): void => {
    const known = record[field];
    const list = Array.isArray(known) ? known : [...valuesOf(record, field)];
    record[field] = list;
    for (const value of values) {
      list.push(value);
    }
  };
  for (const property of properties) {
    const { name, value, params, line } = property;
    const single = SINGLE[name];
    const listed = LISTED[name];
    if (name === "N") {
      const parts = partsOf(value, ";");
      Object.assign(record, Object.fromEntries(NAMES.map((field, index) => [field, parts[index] ?? ""])));
    } else if (name === "ORG") {
      record.organization = partsOf(value, ";").filter(Boolean).join(", ");
    } else if (name === "ADR") {
      add("address", [partsOf(value, ";").filter(Boolean).join(", ")]);
    } else if (single !== undefined && record[single] === undefined) {
      record[single] = unescaped(value);
    } else if (listed !== undefined) {
      add(listed, name === "CATEGORIES" ? partsOf(value, ",") : [unescaped(value).replace(/^tel:/i, "")]);
      add("phone_type", name === "TEL" ? [phoneType(params)] : []);
    } else if (name !== "VERSION") {
      add("other", [line]);
    }
  }
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== "" && value.length > 0));
};

const phoneType = (params: Property["params"]): string =>
  (params.get("TYPE") ?? [])
    .flatMap((type) => type.toLowerCase().split(","))
    .filter((type) => type !== "voice" && type !== "pref" && type !== "quoted-printable")
    .join(" ") || "other";

const readFields = fieldReader(FIELDS);

/** @returns the persons as cards of version 3.0, which all programs read @throws JobError `unsupported_feature` */
export const writeVcf = (records: readonly CalendarRecord[]): string => {
  const read = records.map((record) => ({ fields: readFields(record), other: valuesOf(record, "other") }));
  const named = ["full_name", "given_name", "family_name", "organization", "email"];
  if (!read.some(({ fields }) => named.some((field) => fields[field] !== undefined))) {
    const detail = "Contacts need a column for a name or an address, such as `full_name`, `First Name` or `email`.";
    throw new JobError("unsupported_feature", detail);
  }
  return folded(read.flatMap(({ fields, other }) => cardLines(fields, other)));
};

const cardLines = (record: CalendarRecord, other: readonly string[]): string[] => {
  const one = (field: string): string => valuesOf(record, field)[0] ?? "";
  const names = NAMES.map(one);
  const spoken = [one("prefix"), one("given_name"), one("additional_names"), one("family_name"), one("suffix")];
  const fullName = one("full_name") || spoken.filter(Boolean).join(" ") || one("organization") || one("email");
  const line = (property: string, value: string) => (value === "" ? [] : [`${property}:${escaped(value)}`]);
  const types = valuesOf(record, "phone_type");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    ...line("FN", fullName),
    `N:${(names.some(Boolean) ? names : ["", fullName, "", "", ""]).map(escaped).join(";")}`,
    ...line("NICKNAME", one("nickname")),
    ...line("ORG", one("organization")),
    ...line("TITLE", one("title")),
    ...valuesOf(record, "email").flatMap((value) => line("EMAIL", value)),
    ...valuesOf(record, "phone").flatMap((value, index) => line(telOf(types[index]), value)),
    ...valuesOf(record, "address").map((value) => `ADR:;;${escaped(value)};;;;`),
    ...line("BDAY", one("birthday")),
    ...valuesOf(record, "url").flatMap((value) => line("URL", value)),
    ...line("NOTE", one("note")),
    ...(one("categories") === "" ? [] : [`CATEGORIES:${valuesOf(record, "categories").map(escaped).join(",")}`]),
    ...line("UID", one("uid")),
    ...other.map((text) => text.replaceAll(/[\r\n]+/g, " ")),
    "END:VCARD",
  ];
};

const telOf = (type = ""): string => {
  const words = type.toUpperCase().match(/[A-Z]+/g);
  return words === null || type === "other" ? "TEL" : `TEL;TYPE=${words.join(",")}`;
};
