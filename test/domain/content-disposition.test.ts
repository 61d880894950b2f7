import { expect, it } from "vitest";
import { attachment } from "../../functions/domain/content-disposition.ts";

it.each([
  ["a.png", `attachment; filename="a.png"; filename*=UTF-8''a.png`],
  ["a b.png", `attachment; filename="a b.png"; filename*=UTF-8''a%20b.png`],
  ["Zürich „1“.pdf", `attachment; filename="Z_rich _1_.pdf"; filename*=UTF-8''Z%C3%BCrich%20%E2%80%9E1%E2%80%9C.pdf`],
  ["写真📷.heic", `attachment; filename="___.heic"; filename*=UTF-8''%E5%86%99%E7%9C%9F%F0%9F%93%B7.heic`],
  [
    "it's (50%) *new*.gif",
    `attachment; filename="it's (50_) *new*.gif"; filename*=UTF-8''it%27s%20%2850%25%29%20%2Anew%2A.gif`,
  ],
])("encodes %s for old and new clients", (filename, header) => {
  expect(attachment(filename)).toBe(header);
});

it.each([
  ['a quote that would close the name, as in x".exe', 'x".exe'],
  ["a backslash", "x\\y.png"],
  ["a line break that would start another header", "x\r\nset-cookie: a=b.png"],
  ["half of a surrogate pair", "x\ud83d.png"],
  ["no name", ""],
])("returns a single ASCII header for %s", (_case, filename) => {
  expect(attachment(filename)).toMatch(/^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/);
});

it("lets a client that follows RFC 8187 read the complete name", () => {
  const name = `Ærøskøbing's "best" 100% (1)*.webp`;
  const encoded = attachment(name).split("filename*=UTF-8''")[1] ?? "";
  expect(decodeURIComponent(encoded)).toBe(name);
});
