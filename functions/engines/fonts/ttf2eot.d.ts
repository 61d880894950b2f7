declare module "ttf2eot" {
  /** Wraps a font; throws an Error when it lacks a table. */
  function wrap(font: Uint8Array): Uint8Array;
  export = wrap;
}
