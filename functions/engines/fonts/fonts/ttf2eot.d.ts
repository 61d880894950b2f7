declare module "ttf2eot" {
  /** Wraps a font; throws an Error when a table is missing. */
  function wrap(font: Uint8Array): Uint8Array;
  export = wrap;
}
