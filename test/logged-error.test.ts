import { describe, expect, it } from "vitest";
import { JobError, RequestError } from "../functions/domain/errors.ts";
import { loggedError } from "../functions/logged-error.ts";

/** The parts of an error that are logged. */

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

describe("values in an error are not logged", () => {
  it.each([
    ["text that is not JSON", thrownBy(() => JSON.parse(`{"a": "b", ${SECRET}`))],
    ["a quoted value", new TypeError(`Cannot read "it's ${SECRET}'s" of undefined`)],
    ["a URL", new Error(`Could not reach https://${SECRET}.example/x?y=1 in time`)],
    ["an email address", new Error(`No such mailbox: ${SECRET}@example.com`)],
    ["a path", new Error(`Cannot stat /home/${SECRET}/a.png`)],
    ["a Windows path", new Error(`Cannot stat C:\\Users\\${SECRET}\\a.png`)],
    ["an API key", new Error(`af_live_${SECRET} is not known`)],
    ["a download token", new Error(`dl_${SECRET} is not known`)],
    ["a word as long as a secret", new Error(`${"x".repeat(40)}${SECRET.replace("-", "")}`)],
    [
      "a host name of a DNS lookup",
      Object.assign(new Error(`getaddrinfo ENOTFOUND ${SECRET}`), { syscall: "getaddrinfo" }),
    ],
    ["the host of a certificate", Object.assign(new Error(`Host: ${SECRET}. is not in the cert`), { host: SECRET })],
    ["the client message of a request error", new RequestError("invalid_request", SECRET)],
    ["the client message of a job error", new JobError("engine_failed", SECRET)],
    [
      "the output of an engine",
      new JobError("engine_failed", "", { cause: `Error: ${SECRET}\n    at ${SECRET}\nTitle: ${SECRET}` }),
    ],
    ["an error name from a file", Object.assign(new Error("x"), { name: `${SECRET} !` })],
    ["a cause", new Error("Outer", { cause: new Error(`Cannot open /tmp/${SECRET}`) })],
  ])("%s", (_, error) => {
    expect(shown(error)).not.toContain(SECRET);
    expect(shown(error)).not.toContain(SECRET.replace("-", ""));
  });
});

describe("long errors are processed in linear time", () => {
  // In quadratic time, a million characters would take hours.
  const LONG = 1_000_000;

  it.each([
    ["words that may start a URL", "a.".repeat(LONG / 2)],
    ["a word that may start an email address", "a".repeat(LONG)],
    ["starts of email addresses", "@".repeat(LONG)],
    ["starts of URLs", "a:/".repeat(LONG / 3)],
    ["a single quotation mark", `"${"a".repeat(LONG)}`],
    ["quotation marks", `"'\``.repeat(LONG / 3)],
    ["starts of paths", "/ ".repeat(LONG / 2)],
    ["words almost as long as a secret", `${"a".repeat(39)} `.repeat(LONG / 40)],
    ["lines that start like stack frames", "    at a (".repeat(LONG / 10)],
    ["spaces", " ".repeat(LONG)],
  ])("%s", (_, text) => {
    expect(loggedError(new Error(`It is ${text}`)).message).toMatch(/^It is .{0,294}$/);
    expect(loggedError(text)).toEqual({ name: "EngineOutput" });
  });

  it("the text before and after a long quotation is kept", () => {
    const { message } = loggedError(new Error(`The column a.b: "${"x".repeat(LONG)}" is full`));
    expect(message).toBe("The column a.b: … is full");
  });

  it("a truncated word is removed completely", () => {
    const words = "word ".repeat(199);
    expect(shown(new Error(`${words}${SECRET}@example.com`))).not.toContain("Quarterly");
    expect(shown(new Error(`${SECRET}${"x".repeat(LONG)}@example.com`))).not.toContain("Quarterly");
  });
});

describe("diagnostic information is kept", () => {
  it("the error code and the stack frames", () => {
    const { name, code, at } = loggedError(new JobError("engine_crashed", "x"));
    expect([name, code]).toEqual(["JobError", "engine_crashed"]);
    expect(at?.[0]).toMatch(/test\/logged-error\.test\.ts:\d+$/);
  });

  it("the system's error code and the system call", () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    expect(loggedError(error)).toMatchObject({ code: "ENOSPC", message: "write failed" });
  });

  it("the message of a database or an AWS service, without quoted values", () => {
    expect(loggedError(new Error("database is locked")).message).toBe("database is locked");
    const denied = new Error("User: arn:aws:sts::1:assumed-role/x is not authorized to perform: dynamodb:PutItem");
    expect(loggedError(denied).message).toContain("is not authorized to perform: dynamodb:PutItem");
    expect(loggedError(new Error("Cannot find module 'sharp'")).message).toBe("Cannot find module …");
  });

  it("the stack frames of a failed converter process", () => {
    const cause = `TypeError: secret\n    at read (file:///app/functions/engines/sheets/read.ts:10:5)\n    at node:internal/x:1:2`;
    expect(loggedError(new JobError("engine_failed", "x", { cause })).cause).toEqual({
      name: "EngineOutput",
      at: ["/app/functions/engines/sheets/read.ts:10", "node:internal/x:1"],
    });
  });

  it("up to four causes of an error, even if they are circular", () => {
    const ring = new Error("ring");
    ring.cause = ring;
    expect(shown(ring).match(/"message"/g)).toHaveLength(5);
  });
});
