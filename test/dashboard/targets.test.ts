import { describe, expect, it } from "vitest";
import { webUrl } from "../../dashboard/pages/convert/adding/web-url.ts";
import {
  aliasesOf,
  commonTargets,
  type Format,
  groupTargets,
  mergeTargets,
  type SourceFormat,
  sourceFormatOf,
} from "../../dashboard/pages/convert/options/targets.ts";
import { zipNames } from "../../dashboard/pages/convert/zip-names.ts";

const format = (id: string, name: string, family: string, extensions = [id]): Format => ({
  id,
  name,
  family,
  extensions,
  writable: true,
  targets: [],
});

const formats = [
  format("png", "PNG", "image"),
  format("jpg", "JPEG", "image", ["jpg", "jpeg"]),
  format("pdf", "PDF", "document"),
  format("ps", "PostScript", "document"),
  format("mp4", "MP4 video", "video"),
];

const conversion = (source: string, target: string, merges = false) => ({
  source,
  target,
  fidelity: "lossy" as const,
  steps: [],
  drops: [],
  options: {},
  merges,
  max_bytes: 1,
});

const nothing = { one: () => Promise.reject(new Error("offline")), all: () => Promise.reject(new Error("offline")) };

const source = (id: string, targets: readonly string[], merged: readonly string[] = []): SourceFormat => {
  const conversions = targets.map((target) => conversion(id, target, merged.includes(target)));
  const listed = formats.map((each) => (each.id === id ? { ...each, targets: [...targets] } : each));
  const found = sourceFormatOf(
    { formats: listed },
    {
      one: async (from, to) => conversion(from, to, merged.includes(to)),
      all: async () => conversions,
    },
  );
  if (found === undefined) {
    throw new TypeError(`${id} is not a format of this test.`);
  }
  return found;
};

const png = source("png", ["mp4", "pdf", "ps", "jpg"], ["pdf"]);
const names = (query: string) =>
  groupTargets(png.targets, {
    query,
    family: "image",
    familyName: (name) => (name === "image" ? "Pictures" : name),
  }).map(({ family, targets }) => [family, ...targets.map((target) => target.format.id)]);
const ids = (targets: SourceFormat["targets"]) => targets.map((target) => target.format.id);

it("the usual targets come first, in the order of the service, until something is searched", () => {
  const usual = png.targets.filter(({ format: { id } }) => id === "jpg" || id === "ps").toReversed();
  const groups = (query: string) =>
    groupTargets(png.targets, { query, family: "image", familyName: (name) => name, usual }).map(
      ({ family, targets }) => [family, ...ids(targets)],
    );
  expect(groups("")).toEqual([
    ["usual", "jpg", "ps"],
    ["document", "pdf"],
    ["video", "mp4"],
  ]);
  expect(groups("j")).toEqual([["image", "jpg"]]);
});

describe("aliases of a file name", () => {
  it.each([
    ["photo.PNG", "image/png", ["png", "image/png"]],
    ["backup.tar.gz", "", ["tar.gz", "gz"]],
    ["v1.2.final.docx", "", ["final.docx", "docx"]],
    ["README", "text/plain", ["text/plain"]],
    ["data", "application/octet-stream", []],
    [".", "", []],
  ])("looks up %s with media type %j by its extensions first", (name, mediaType, aliases) => {
    expect(aliasesOf(name, mediaType)).toEqual(aliases);
  });
});

describe("the targets of a file", () => {
  it("are grouped by family, with the file's own family first", () => {
    expect(names("")).toEqual([
      ["image", "jpg"],
      ["document", "pdf", "ps"],
      ["video", "mp4"],
    ]);
  });

  it("are found by name, extension and localized family", () => {
    expect(names("jpeg")).toEqual([["image", "jpg"]]);
    expect(names(".PDF")).toEqual([["document", "pdf"]]);
    expect(names("pictures")).toEqual([["image", "jpg"]]);
    expect(names("video mp4")).toEqual([["video", "mp4"]]);
    expect(names("video pdf")).toEqual([]);
  });

  it("put exact matches first, because Enter selects the first", () => {
    expect(names("ps")[0]).toEqual(["document", "ps"]);
    expect(names("p").flat()).toContain("pdf");
  });

  it("of several formats are the ones that all formats share", async () => {
    const jpg = source("jpg", ["pdf", "mp4"], ["pdf", "mp4"]);
    expect(ids(commonTargets([png, jpg]))).toEqual(["mp4", "pdf"]);
    expect(commonTargets([])).toEqual([]);
    const shared = commonTargets([png, source("ps", ["jpg"])]);
    await Promise.all(shared.map((target) => target.load()));
    expect(shared.map((target) => target.conversion.value?.source)).toEqual(["png"]);
  });

  it("that files can be merged into are known once the conversions are loaded", async () => {
    const sources = [source("png", ["mp4", "pdf", "jpg"], ["pdf"]), source("jpg", ["pdf", "mp4"], ["pdf", "mp4"])];
    expect(mergeTargets(sources)).toEqual([]);
    // Both rows have a target whose conversion is loaded already: a list with this one alone would leave out PDF.
    const preselected = [source("png", ["mp4", "pdf"], ["mp4", "pdf"]), source("jpg", ["mp4", "pdf"], ["mp4", "pdf"])];
    const [, other] = preselected;
    await preselected[0]?.load();
    await other?.targets[0]?.load();
    expect(mergeTargets(preselected)).toEqual([]);
    await Promise.all(sources.map((each) => each.load()));
    expect(ids(mergeTargets(sources))).toEqual(["pdf"]);
  });

  it("are loaded once, and again after an error", async () => {
    let [requests, isOffline] = [0, true];
    const listed = [{ ...format("png", "PNG", "image"), targets: ["jpg"] }, format("jpg", "JPEG", "image")];
    const one = async (from: string, to: string) => {
      requests += 1;
      return isOffline ? nothing.one() : conversion(from, to);
    };
    const target = sourceFormatOf({ formats: listed }, { ...nothing, one })?.targets[0];
    await expect(target?.load()).rejects.toThrow("offline");
    isOffline = false;
    await Promise.all([target?.load(), target?.load()]);
    expect([requests, target?.conversion.value?.target]).toEqual([2, "jpg"]);
  });

  it("are empty for a list without a source", () => {
    expect(sourceFormatOf({ formats }, nothing)).toBeUndefined();
  });
});

describe("the names in a ZIP", () => {
  it("keep their folders and are unique", () => {
    const name = (path: string) => {
      const at = path.lastIndexOf("/") + 1;
      return { folder: path.slice(0, at), name: path.slice(at) };
    };
    const paths = [
      "a.jpg",
      "day 1/a.jpg",
      "a.jpg",
      "A.JPG",
      "a (2).jpg",
      ".hidden",
      ".hidden",
      "day 1/v1.2",
      "day 1/v1.2",
    ];
    expect(zipNames(paths.map(name))).toEqual([
      "a.jpg",
      "day 1/a.jpg",
      "a (2).jpg",
      "A (3).JPG",
      "a (2) (2).jpg",
      ".hidden",
      ".hidden (2)",
      "day 1/v1.2",
      "day 1/v1 (2).2",
    ]);
  });
});

describe("a URL", () => {
  it("is accepted only with http or https, and without other text", () => {
    expect(webUrl("  https://example.org/a b.png ")).toBeUndefined();
    expect(webUrl(" HTTPS://example.org/a.png\n")).toBe("https://example.org/a.png");
    const others = [
      "",
      "ftp://a/b",
      "javascript:alert(1)",
      "see https://a.b",
      "https://",
      `https://a/${"x".repeat(2_048)}`,
    ];
    expect(others.filter((text) => webUrl(text) !== undefined)).toEqual([]);
  });
});
