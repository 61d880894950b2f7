import { describe, expect, it } from "vitest";
import { JobError, RequestError } from "../functions/domain/errors.ts";
import { loggedError } from "../functions/logged-error.ts";

/** What of an error reaches the log. */

const SECRET = "Quarterly-Salaries";

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
};

const shown = (error: unknown): string => JSON.stringify(loggedError(error));

describe("what an error quotes stays out of the log", () => {
  it.each([
    ["text that is not JSON", thrownBy(() => JSON.parse(`{"a": "b", ${SECRET}`))],
    ["a value in quotation marks", new TypeError(`Cannot read "it's ${SECRET}'s" of undefined`)],
    ["an address", new Error(`Could not reach https://${SECRET}.example/x?y=1 in time`)],
    ["a mail address", new Error(`No such mailbox: ${SECRET}@example.com`)],
    ["a path", new Error(`Cannot stat /home/${SECRET}/a.png`)],
    ["a path of Windows", new Error(`Cannot stat C:\\Users\\${SECRET}\\a.png`)],
    ["a key of ours", new Error(`af_live_${SECRET} is not known`)],
    ["a download token", new Error(`dl_${SECRET} is not known`)],
    ["what is as long as a secret", new Error(`${"x".repeat(40)}${SECRET.replace("-", "")}`)],
    [
      "a host that was looked up",
      Object.assign(new Error(`getaddrinfo ENOTFOUND ${SECRET}`), { syscall: "getaddrinfo" }),
    ],
    ["a certificate's host", Object.assign(new Error(`Host: ${SECRET}. is not in the cert`), { host: SECRET })],
    ["what clients are told of a request", new RequestError("invalid_request", SECRET)],
    ["what clients are told of a job", new JobError("engine_failed", SECRET)],
    [
      "what an engine wrote",
      new JobError("engine_failed", "", { cause: `Error: ${SECRET}\n    at ${SECRET}\nTitle: ${SECRET}` }),
    ],
    ["the name of an error that a file chose", Object.assign(new Error("x"), { name: `${SECRET} !` })],
    ["a cause", new Error("Outer", { cause: new Error(`Cannot open /tmp/${SECRET}`) })],
  ])("%s", (_, error) => {
    expect(shown(error)).not.toContain(SECRET);
    expect(shown(error)).not.toContain(SECRET.replace("-", ""));
  });
});

describe("however long what an error quotes is, it is read once", () => {
  // With the square of its length, a million letters would take hours.
  const LONG = 1_000_000;

  it.each([
    ["words that may begin an address", "a.".repeat(LONG / 2)],
    ["a word that may end in a mail address", "a".repeat(LONG)],
    ["beginnings of mail addresses", "@".repeat(LONG)],
    ["beginnings of addresses", "a:/".repeat(LONG / 3)],
    ["one mark", `"${"a".repeat(LONG)}`],
    ["marks", `"'\``.repeat(LONG / 3)],
    ["beginnings of paths", "/ ".repeat(LONG / 2)],
    ["what is almost as long as a secret", `${"a".repeat(39)} `.repeat(LONG / 40)],
    ["lines that begin like places", "    at a (".repeat(LONG / 10)],
    ["blanks", " ".repeat(LONG)],
  ])("%s", (_, text) => {
    expect(loggedError(new Error(`It is ${text}`)).message).toMatch(/^It is .{0,294}$/);
    expect(loggedError(text)).toEqual({ name: "EngineOutput" });
  });

  it("and what stands before and behind a long quotation stays", () => {
    const { message } = loggedError(new Error(`The column a.b: "${"x".repeat(LONG)}" is full`));
    expect(message).toBe("The column a.b: … is full");
  });

  it("and of a word that is cut off nothing is left", () => {
    const words = "word ".repeat(199);
    expect(shown(new Error(`${words}${SECRET}@example.com`))).not.toContain("Quarterly");
    expect(shown(new Error(`${SECRET}${"x".repeat(LONG)}@example.com`))).not.toContain("Quarterly");
  });
});

describe("what tells where to look stays", () => {
  it("the code of the table, and the places in the code", () => {
    const { name, code, at } = loggedError(new JobError("engine_crashed", "x"));
    expect([name, code]).toEqual(["JobError", "engine_crashed"]);
    expect(at?.[0]).toMatch(/test\/logged-error\.test\.ts:\d+$/);
  });

  it("the code of the system, and what was called", () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    expect(loggedError(error)).toMatchObject({ code: "ENOSPC", message: "write failed" });
  });

  it("what a database or a service of AWS says, without its quotations", () => {
    expect(loggedError(new Error("database is locked")).message).toBe("database is locked");
    const denied = new Error("User: arn:aws:sts::1:assumed-role/x is not authorized to perform: dynamodb:PutItem");
    expect(loggedError(denied).message).toContain("is not authorized to perform: dynamodb:PutItem");
    expect(loggedError(new Error("Cannot find module 'sharp'")).message).toBe("Cannot find module …");
  });

  it("the places where a converter process broke off", () => {
    const cause = `TypeError: secret\n    at read (file:///app/functions/engines/sheets/read.ts:10:5)\n    at node:internal/x:1:2`;
    expect(loggedError(new JobError("engine_failed", "x", { cause })).cause).toEqual({
      name: "EngineOutput",
      at: ["/app/functions/engines/sheets/read.ts:10", "node:internal/x:1"],
    });
  });

  it("four causes below an error, though they go in a ring", () => {
    const ring = new Error("ring");
    ring.cause = ring;
    expect(shown(ring).match(/"message"/g)).toHaveLength(5);
  });
});
