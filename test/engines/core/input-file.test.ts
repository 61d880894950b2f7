import { closeSync, openSync, readlinkSync, readSync, writeFileSync, writeSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type InputFile, openInputFile, writtenBytes } from "../../../functions/engines/core/input-file.ts";
import { scratchFolder } from "../support/scratch.ts";

/** The file that passes small inputs to a converter. */

const scratch = scratchFolder();
let file: InputFile;
let isOpen = true;
const close = (): void => {
  isOpen = false;
  file.close();
};
beforeEach(() => {
  file = openInputFile();
  isOpen = true;
});
afterEach(() => {
  closeSync(file.readOnly);
  if (isOpen) {
    close();
  }
});

const contentOf = (descriptor: number, bytes: number): string => {
  const content = Buffer.alloc(bytes);
  return content.toString("utf8", 0, readSync(descriptor, content, 0, bytes, 0));
};

describe("the file of a converter's inputs", () => {
  test("has no name", () => {
    expect(readlinkSync(`/proc/self/fd/${file.readOnly}`)).toMatch(/^\/dev\/shm\/.* \(deleted\)$/);
  });

  test("contains the last input from its start, in whatever pieces it arrived", () => {
    expect(file.write([Buffer.from("a longer "), Buffer.from("input")])).toBe(14);
    expect(contentOf(file.readOnly, 14)).toBe("a longer input");
    expect(file.write([Buffer.from("short")])).toBe(5);
    expect(contentOf(file.readOnly, 5)).toBe("short");
  });

  test("accepts an input in more pieces than the system writes at once", () => {
    const pieces = Array.from({ length: 3_000 }, (_, index) => Buffer.from(String(index % 10)));
    expect(file.write(pieces)).toBe(3_000);
    expect(contentOf(file.readOnly, 3_000)).toBe("0123456789".repeat(300));
  });

  test("cannot be written by the converter", () => {
    expect(() => writeSync(file.readOnly, "x")).toThrow("EBADF");
  });

  test("is not written once it is closed, nor is a file that has its descriptor then", () => {
    close();
    const path = scratch.file(Buffer.from("other"));
    const others = Array.from({ length: 8 }, () => openSync(path, "r+"));
    expect(file.write([Buffer.from("input")])).toBe(5);
    expect(others.map((descriptor) => contentOf(descriptor, 5))).toEqual(others.map(() => "other"));
    others.map(closeSync);
  });

  test("notices that the file system is full, and throws other errors", () => {
    const full = openSync("/dev/full", "w");
    expect(writtenBytes(full, [Buffer.from("input")])).toBe(0);
    closeSync(full);
    const closed = scratch.fresh();
    writeFileSync(closed, "");
    const readOnly = openSync(closed, "r");
    expect(() => writtenBytes(readOnly, [Buffer.from("input")])).toThrow("EBADF");
    closeSync(readOnly);
  });
});
