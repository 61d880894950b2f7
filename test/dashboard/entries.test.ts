import { describe, expect, it } from "vitest";
import { chosenFiles, type Entry, readEntries } from "../../dashboard/pages/convert/entries.ts";

/** Entries as browsers have them: callbacks, and folders that give their entries in portions. */

const PORTION = 100;

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
    file: (_: unknown, onError: (error: unknown) => void) => onError(new DOMException("It is gone.", "NotFoundError")),
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
          onEntries(children().slice(at, at + PORTION));
          at += PORTION;
        },
      };
    },
  },
});

const paths = ({ files }: Awaited<ReturnType<typeof readEntries>>) =>
  files.map(({ file, folder }) => folder + file.name);

describe("folders that are dropped", () => {
  it("are read through, with the folders of each file, in the order of their names", async () => {
    const inner = folderEntry("day 10", () => [fileEntry("c.png")]);
    const early = folderEntry("day 9", () => [fileEntry("b10.png"), fileEntry("b9.png")]);
    const found = await readEntries([folderEntry("trip", () => [inner, early]), fileEntry("a.png")], 1_000);
    expect(paths(found)).toEqual(["a.png", "trip/day 9/b9.png", "trip/day 9/b10.png", "trip/day 10/c.png"]);
    expect(found).toMatchObject({ cut: false, unreadable: 0 });
  });

  it("that have more entries than come at once are read to their end", async () => {
    const many = Array.from({ length: 250 }, (_, index) => fileEntry(`${index}.txt`));
    expect((await readEntries([folderEntry("many", () => many)], 1_000)).files).toHaveLength(250);
  });

  it("never give more than the list takes, and say so", async () => {
    const many = Array.from({ length: 500 }, (_, index) => fileEntry(`${index}.txt`));
    const found = await readEntries([folderEntry("a", () => many), folderEntry("b", () => many)], 600);
    expect([found.files.length, found.cut]).toEqual([600, true]);
    expect(await readEntries([fileEntry("a.txt")], 0)).toMatchObject({ files: [], cut: true });
  });

  it("that lead back to themselves end", async () => {
    const loop: Entry = folderEntry("loop", () => [loop, fileEntry("a.txt")]);
    const found = await readEntries([loop], 1_000);
    expect(found.files).toHaveLength(32);
  });

  it("lose what cannot be read, and tell how much", async () => {
    const found = await readEntries([lostEntry("a.png"), fileEntry("b.png")], 10);
    expect([paths(found), found.unreadable]).toEqual([["b.png"], 1]);
  });

  it("leave out what systems put there", async () => {
    const litter = [".DS_Store", "Thumbs.db", "._photo.jpg", "photo.jpg"].map(fileEntry);
    expect(paths(await readEntries([folderEntry("f", () => litter)], 10))).toEqual(["f/photo.jpg"]);
  });
});

describe("files that are chosen", () => {
  it("keep the folder that they were chosen with, up to the limit", () => {
    const inFolder = Object.defineProperty(new File(["x"], "a.png"), "webkitRelativePath", {
      value: "trip/day 1/a.png",
    });
    const found = chosenFiles([inFolder, new File([""], "b.png"), new File([""], "c.png")], 2);
    expect(found.files.map(({ folder }) => folder)).toEqual(["trip/day 1/", ""]);
    expect(found.cut).toBe(true);
  });
});
