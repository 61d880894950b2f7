interface CanvasGif {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Side length of each frame in pixels. @default 1 */
  readonly side?: number;
}

/**
 * @returns a GIF of small frames on a canvas of any size: a few bytes per frame, which a decoder expands to the full
 * canvas (GIF89a, appendix A)
 */
export const canvasGif = ({ width, height, frames, side = 1 }: CanvasGif): Buffer => {
  const screen = Buffer.from("47494638396100000000800000000000ffffff", "hex");
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const control = Buffer.from("21f9040401000000", "hex");
  const picture = Buffer.from("2c0000000000000000000202440100", "hex");
  picture.writeUInt16LE(side, 5);
  picture.writeUInt16LE(side, 7);
  const frame = Buffer.concat([control, picture]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
};
