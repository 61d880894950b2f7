import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageList } from "../local/packages.ts";

/** Under which licences what we ship stands: packages that are part of the code, and programs that it only starts. */

/** A package of npm that is shipped: in a bundle, a layer, the image or the pages. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
}

/** A program or a font that is a package of the system, and runs by itself. */
export interface ShippedProgram {
  /** How the names of its packages begin. */
  readonly packages: string;
  readonly name: string;
  readonly licence: string;
}

/**
 * What may be part of the code. LGPL is there for WebAssembly and native libraries that stand in files of their own, which
 * anyone may replace; their names are in {@link REPLACEABLE}.
 */
export const ALLOWED: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** Libraries under the LGPL: each is a file of its own beside the code. */
export const REPLACEABLE: readonly RegExp[] = [/^7z-wasm$/, /^gdal3\.js$/, /^occt-import-js$/, /^@img\/sharp-/];

/** Packages whose own field says nothing that a program can read, and what their files say. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  "7z-wasm": "LGPL-2.1-or-later",
  "dejavu-fonts-ttf": "MIT", // The Bitstream Vera licence, which asks for the same as MIT and for another name when changed.
  duck: "BSD-2-Clause",
};

/** Packages that are built into the pages, as a test finds them there; to npm they are needed for development only. */
export const IN_PAGES: readonly string[] = [
  "@preact/signals",
  "@preact/signals-core",
  "@simplewebauthn/browser",
  "client-zip",
  "preact",
  "regexparam",
  "wouter-preact",
];

/** The programs and fonts of `layers/image/packages.txt`, as Debian ships them. */
export const programs: readonly ShippedProgram[] = [
  { packages: "bubblewrap", name: "bubblewrap", licence: "LGPL-2.0-or-later" },
  { packages: "libreoffice", name: "LibreOffice", licence: "MPL-2.0" },
  { packages: "python3-uno", name: "Python's bridge to LibreOffice", licence: "MPL-2.0" },
  { packages: "pandoc", name: "pandoc", licence: "GPL-2.0-or-later" },
  { packages: "chromium", name: "Chromium", licence: "BSD-3-Clause" },
  { packages: "calibre", name: "Calibre", licence: "GPL-3.0-only" },
  { packages: "ffmpeg", name: "FFmpeg, with GPL parts", licence: "GPL-2.0-or-later" },
  { packages: "poppler", name: "Poppler", licence: "GPL-2.0-or-later" },
  { packages: "libheif", name: "libheif", licence: "LGPL-3.0-or-later" },
  { packages: "tesseract", name: "Tesseract and its data", licence: "Apache-2.0" },
  { packages: "fontconfig", name: "Fontconfig", licence: "MIT" },
  { packages: "fonts-liberation", name: "Liberation fonts", licence: "OFL-1.1" },
  { packages: "fonts-crosextra-carlito", name: "Carlito", licence: "OFL-1.1" },
  { packages: "fonts-crosextra-caladea", name: "Caladea", licence: "Apache-2.0" },
  { packages: "fonts-dejavu", name: "DejaVu fonts", licence: "Bitstream-Vera" },
  { packages: "fonts-noto", name: "Noto fonts", licence: "OFL-1.1" },
];

/** @returns the row of each package that the system installs; undefined for one that nobody has looked at */
export const programOf = (systemPackage: string): ShippedProgram | undefined =>
  programs.find(({ packages }) => systemPackage.startsWith(packages));

/** @returns the names of the packages that the system installs */
export const systemPackages = (): readonly string[] => packageList().flatMap(({ apt }) => apt ?? []);

/** A package as the lock file has it. */
export interface Locked {
  readonly version: string;
  readonly license?: string;
  /** `sha512-` and base64 of the archive. */
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** @returns what the lock file says of each package that is shipped, by its place below the project: `node_modules/zod` */
export const shippedPlaces = (): ReadonlyMap<string, Locked> => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const isShipped = (place: string, { dev, devOptional }: Locked): boolean => {
    const name = nameIn(place);
    return place !== "" && (IN_PAGES.includes(name) || !(dev || devOptional)) && !TEST_ONLY.includes(name);
  };
  return new Map(Object.entries(packages).filter(([place, locked]) => isShipped(place, locked)));
};

/** @returns the name of the package in this place */
export const nameIn = (place: string): string => place.split("node_modules/").at(-1) ?? "";

/** @returns the SPDX expression of a package */
export const licenceOf = (name: string, { license = "" }: Locked): string => READ_BY_HAND[name] ?? license;

/** @returns every package of npm that is shipped, by name, as the lock file has it */
export const shippedPackages = (): readonly ShippedPackage[] => {
  const found = [...shippedPlaces()].map(([place, locked]) => {
    const name = nameIn(place);
    return { name, version: locked.version, licence: licenceOf(name, locked) };
  });
  const byId = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** Optional, so that an install does without it where there is none for the platform; tests alone start it. */
const TEST_ONLY: readonly string[] = ["@dynoxide/linux-x64"];
