declare module "fontverter" {
  /** Wraps or unwraps a font; rejects with an Error, or whatever a part of it throws. */
  export function convert(font: Buffer, to: "sfnt" | "woff2", from: "sfnt" | "woff2"): Promise<Buffer>;
}
