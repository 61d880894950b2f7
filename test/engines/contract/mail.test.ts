import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import { expect } from "vitest";
import { PYTHON, withPython, withTool } from "../support/tools.ts";
import { type Check, contract } from "./contract.ts";

/** Python's message reader, which shares nothing with the libraries that wrote them. */
const READ_EML = `
import email, email.policy, json, sys
m = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
body = m.get_body(('plain',))
files = {p.get_filename() or '': len(p.get_payload(decode=True) or b'') for p in m.walk() if not p.is_multipart()}
print(json.dumps({'subject': m['subject'], 'from': m['from'], 'to': m['to'], 'text': body.get_content(), 'files': files}))
`;

const python = (program: string, path: string) =>
  JSON.parse(execFileSync(PYTHON, ["-c", program, path], { encoding: "utf8", env: { PYTHONIOENCODING: "utf-8" } }));

const isMessage: Check = ({ path, bundled }) => {
  if (bundled) {
    if (withTool("unzip")) {
      const list = execFileSync("unzip", ["-l", path], { encoding: "utf8" });
      expect(list).toMatch(/message-0001\.eml[\s\S]*message-0002\.eml[\s\S]*2 files/);
    }
    return;
  }
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/^From: .*lukasz@example\.com>/m);
  if (withPython()) {
    const read = python(READ_EML, path);
    expect(read).toMatchObject({ subject: "Harbour report – 港", from: "Łukasz <lukasz@example.com>" });
    expect(read.to).toBe('"Ana, Perú" <ana@example.com>, crew@example.com');
    expect(read.text.replaceAll("\r\n", "\n")).toMatch(/^Harbour report\n\nÜberfahrt, café – 12 €\.\nFrom here/);
    expect(read.files).toMatchObject({ "crew Ł.csv": 20, "flag.png": expect.any(Number) });
  }
};

const isMailbox: Check = ({ path }) => {
  const text = readFileSync(path, "utf8");
  expect(text.match(/^From \S+@\S+ Mon Jun 30 07:30:00 2025$/gm)).toHaveLength(1);
  if (withPython()) {
    const count = "import mailbox, sys, json; print(json.dumps([m['from'] for m in mailbox.mbox(sys.argv[1])]))";
    expect(python(count, path)).toHaveLength(1);
  }
};

const isCalendar: Check = ({ path, from }) => {
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(path, "utf8")));
  const events = calendar.getAllSubcomponents("vevent").map((event) => new ICAL.Event(event));
  expect(events.map(({ summary }) => summary)).toEqual(["Regatta, Zürich 東京", "Holiday"]);
  expect(events[0]?.startDate.toString()).toBe("2025-06-30T09:30:00");
  expect(events[0]?.endDate.toString()).toBe("2025-06-30T11:30:00");
  expect(events[1]?.startDate).toMatchObject({ isDate: true, year: 2025, month: 8, day: 1 });
  if (from === "csv") {
    expect(events[0]?.location).toBe("Pier 7; north");
    expect(events[0]?.description).toMatch(/^Bring ropes\nand a very long .* bytes\.$/);
  }
};

const isContacts: Check = ({ path }) => {
  const text = readFileSync(path, "utf8");
  const cards = text.split(/(?<=END:VCARD\r\n)/).filter(Boolean);
  const [ana, li] = cards.map((card) => new ICAL.Component(ICAL.parse(card)));
  expect(cards).toHaveLength(2);
  expect(ana?.getFirstPropertyValue("n")).toEqual(["Pérez", "Ana", "", "", ""]);
  expect(ana?.getFirstPropertyValue("email")).toBe("ana@example.com");
  expect(li?.getFirstPropertyValue("n")).toContain("李".length === 1 && text.includes("李 明") ? "李 明" : "李");
  expect(text).toContain("007");
};

contract("mail", { eml: isMessage, mbox: isMailbox, ics: isCalendar, vcf: isContacts });
