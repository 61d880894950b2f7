declare module "fontverter" {
  /** Wraps or unwraps a font; rejects with an Error, or with any value that its decoder throws. */
  export function convert(font: Buffer, to: "sfnt" | "woff2", from: "sfnt" | "woff2"): Promise<Buffer>;
}
