import { describe, expect, it } from "vitest";
import { safeFilename, withExtension } from "../../functions/domain/uploads/upload.ts";

describe("file names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\fotos\\a.png", "a.png"],
    ["a\u0000b\r\n.png", "ab.png"],
    ["photo\u202egnp.exe", "photognp.exe"],
    ["..", "file"],
    ["", "file"],
    ["  résumé.pdf ", "résumé.pdf"],
  ])("reduce %j to a name that is safe to save", (given, safe) => {
    expect(safeFilename(given)).toBe(safe);
  });

  it("keep the extension when they are truncated", () => {
    const name = safeFilename(`${"é".repeat(4_000)}.png`);
    expect([...name].length).toBe(255);
    expect(name.endsWith(".png")).toBe(true);
  });

  it.each([
    ["a.heic", "a.jpg"],
    ["archive.tar.gz", "archive.tar.jpg"],
    ["no-extension", "no-extension.jpg"],
    [".hidden", ".hidden.jpg"],
    ["v1. final", "v1. final.jpg"],
  ])("change the extension of %s to %s", (given, changed) => {
    expect(withExtension(given, "jpg")).toBe(changed);
  });
});
