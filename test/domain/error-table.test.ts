import { expect, test } from "vitest";
import { pages } from "../../docs/generate.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { uploadErrors } from "../../functions/domain/errors/upload-errors.ts";

const rows = [requestErrors, uploadErrors, jobErrors].flatMap((table) => Object.entries(table));

test.each(rows)("%s says in one sentence each when it happens and what to do", (code, { title, when, action }) => {
  for (const sentence of [when, action]) {
    expect(sentence).toMatch(/^[A-Z][^\n|]{10,110}\.$/);
    expect(sentence.slice(0, -1)).not.toMatch(/\. [A-Z]/);
  }
  expect(title).toMatch(/^[A-Z].*[^.]$/);
  expect(when).not.toBe(action);
  const line = pages["errors.md"]?.()
    .split("\n")
    .filter((text) => text.startsWith(`| \`${code}\` |`));
  expect(line?.some((text) => text.includes(when) && text.endsWith(` ${action} |`))).toBe(true);
});
