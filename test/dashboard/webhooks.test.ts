import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CodeLanguage, codeLanguages, verifyCode } from "../../dashboard/pages/webhooks/verify-code.ts";
import { de } from "../../dashboard/text/de.ts";
import { en } from "../../dashboard/text/en.ts";
import { newWebhookSecret, webhookHeaders } from "../../functions/domain/webhooks/message.ts";
import { PYTHON, withPython } from "../engines/support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "anyform-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Programs that read headers and body from stdin and print the result of the displayed function. */
const RUNNERS: Readonly<
  Record<CodeLanguage, { readonly command: string; readonly file: string; readonly end: string }>
> = {
  TypeScript: {
    command: process.execPath,
    file: "verify.ts",
    end: `
import { readFileSync } from "node:fs";
const { headers, body } = JSON.parse(readFileSync(0, "utf8"));
console.log(isGenuine(headers, body));
`,
  },
  Python: {
    command: PYTHON,
    file: "verify.py",
    end: `
import json, sys
given = json.load(sys.stdin)
print(str(is_genuine(given["headers"], given["body"].encode())).lower())
`,
  },
};

const isGenuine = (
  language: CodeLanguage,
  { secret, ...given }: { readonly secret: string; readonly headers: Record<string, string>; readonly body: string },
): boolean => {
  const { command, file, end } = RUNNERS[language];
  const path = join(folder, file);
  writeFileSync(path, verifyCode[language](en.webhooks.code) + end);
  const env = { ...process.env, ANYFORM_WEBHOOK_SECRET: secret, NODE_OPTIONS: "" };
  return execFileSync(command, [path], { input: JSON.stringify(given), encoding: "utf8", env }).trim() === "true";
};

/** Python is not part of the setup; the other languages are. */
const runnable = codeLanguages.filter((language) => language !== "Python" || withPython());

describe.each(runnable)("the signature verification in %s", (language) => {
  const secret = newWebhookSecret((count) => crypto.getRandomValues(new Uint8Array(count)));
  const other = newWebhookSecret((count) => crypto.getRandomValues(new Uint8Array(count)));
  const body = '{"type":"job.completed","data":{"filename":"Grüße.pdf"}}';
  const sign = (keys: readonly string[], now = Date.now()): Record<string, string> =>
    webhookHeaders(
      { id: "msg_1", body },
      keys.map((key) => ({ secret: key, createdAt: 0 })),
      now,
    );

  test("accepts messages of the service, also during a rotation with two secrets", () => {
    expect(isGenuine(language, { secret, headers: sign([secret]), body })).toBe(true);
    expect(isGenuine(language, { secret, headers: sign([other, secret]), body })).toBe(true);
  });

  test("rejects a wrong secret, a changed body, an old message, and missing headers", () => {
    expect(isGenuine(language, { secret, headers: sign([other]), body })).toBe(false);
    expect(isGenuine(language, { secret, headers: sign([secret]), body: `${body} ` })).toBe(false);
    expect(isGenuine(language, { secret, headers: sign([secret], Date.now() - 3_600_000), body })).toBe(false);
    expect(isGenuine(language, { secret, headers: {}, body })).toBe(false);
  });

  test("differs in German only in its comments", () => {
    const code = (text: string): string => text.replaceAll(/^\s*(?:\/\/|#).*$/gm, "");
    expect(code(verifyCode[language](de.webhooks.code))).toBe(code(verifyCode[language](en.webhooks.code)));
  });
});
