import { describe, expect, it } from "vitest";
import { chosenFiles, type Entry, readEntries } from "../../dashboard/pages/convert/adding/entries.ts";

/** Entries as browsers provide them: with callbacks, and folders that return their entries in batches. */

const BATCH = 100;

const fileEntry = (name: string): Entry => ({
  name,
  isFile: true,
  isDirectory: false,
  ...{ file: (onFile: (file: File) => void) => onFile(new File(["x"], name)) },
});

const lostEntry = (name: string): Entry => ({
  name,
  isFile: true,
  isDirectory: false,
  ...{
    file: (_: unknown, onError: (error: unknown) => void) =>
      onError(new DOMException("The file was deleted.", "NotFoundError")),
  },
});

const folderEntry = (name: string, children: () => readonly Entry[]): Entry => ({
  name,
  isFile: false,
  isDirectory: true,
  ...{
    createReader: () => {
      let at = 0;
      return {
        readEntries: (onEntries: (entries: readonly Entry[]) => void) => {
          onEntries(children().slice(at, at + BATCH));
          at += BATCH;
        },
      };
    },
  },
});

const paths = ({ files }: Awaited<ReturnType<typeof readEntries>>) =>
  files.map(({ file, folder }) => folder + file.name);

describe("dropped folders", () => {
  it("are read recursively in natural name order, and each file keeps its folder", async () => {
    const inner = folderEntry("day 10", () => [fileEntry("c.png")]);
    const early = folderEntry("day 9", () => [fileEntry("b10.png"), fileEntry("b9.png")]);
    const found = await readEntries([folderEntry("trip", () => [inner, early]), fileEntry("a.png")], 1_000);
    expect(paths(found)).toEqual(["a.png", "trip/day 9/b9.png", "trip/day 9/b10.png", "trip/day 10/c.png"]);
    expect(found).toMatchObject({ cut: false, unreadable: 0 });
  });

  it("with more entries than one batch are read completely", async () => {
    const many = Array.from({ length: 250 }, (_, index) => fileEntry(`${index}.txt`));
    expect((await readEntries([folderEntry("many", () => many)], 1_000)).files).toHaveLength(250);
  });

  it("never exceed the limit of the list, and report that files were cut", async () => {
    const many = Array.from({ length: 500 }, (_, index) => fileEntry(`${index}.txt`));
    const found = await readEntries([folderEntry("a", () => many), folderEntry("b", () => many)], 600);
    expect([found.files.length, found.cut]).toEqual([600, true]);
    expect(await readEntries([fileEntry("a.txt")], 0)).toMatchObject({ files: [], cut: true });
  });

  it("that contain themselves do not cause an endless loop", async () => {
    const loop: Entry = folderEntry("loop", () => [loop, fileEntry("a.txt")]);
    const found = await readEntries([loop], 1_000);
    expect(found.files).toHaveLength(32);
  });

  it("skip unreadable files and count them", async () => {
    const found = await readEntries([lostEntry("a.png"), fileEntry("b.png")], 10);
    expect([paths(found), found.unreadable]).toEqual([["b.png"], 1]);
  });

  it("skip files of the operating system", async () => {
    const names = [".DS_Store", "Thumbs.db", "._photo.jpg", "photo.jpg"].map(fileEntry);
    expect(paths(await readEntries([folderEntry("f", () => names)], 10))).toEqual(["f/photo.jpg"]);
  });
});

describe("chosen files", () => {
  it("keep their folder, up to the limit", () => {
    const inFolder = Object.defineProperty(new File(["x"], "a.png"), "webkitRelativePath", {
      value: "trip/day 1/a.png",
    });
    const found = chosenFiles([inFolder, new File([""], "b.png"), new File([""], "c.png")], 2);
    expect(found.files.map(({ folder }) => folder)).toEqual(["trip/day 1/", ""]);
    expect(found.cut).toBe(true);
  });
});
