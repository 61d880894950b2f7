/** The content of every audio and video sample in `test/fixtures`, so that tests can check what a conversion keeps. */

export const MEDIA_SECONDS = 2;

/** A tone in each channel, at half the maximum amplitude. */
export const TONE_LEFT_HZ = 440;
export const TONE_RIGHT_HZ = 880;
export const TONE_AMPLITUDE = 0.5;

export const FILM_WIDTH = 128;
export const FILM_HEIGHT = 96;
export const FILM_FPS = 25;

/** Top left, top right, bottom left, bottom right; a black bar moves over them from left to right. */
export const FILM_COLORS = ["red", "lime", "blue", "white"] as const;
export const BAR_WIDTH = 8;
/** Position of the bar in the middle of a video; twice as far at its end. */
export const BAR_PIXELS_A_SECOND = 60;

export const MEDIA_TAGS = {
  title: "Prüfton 测试",
  artist: "anyform",
  album: "Fixtures",
  track: "3",
  date: "2026",
} as const;

/** Cues of the Matroska sample; times in milliseconds. */
export const MEDIA_CUES = [
  { start: 200, end: 900, text: "Grüße aus Köln" },
  { start: 1_000, end: 1_800, text: "你好,世界" },
] as const;

export const MEDIA_CHAPTERS = [
  { start: 0, end: 1_000, title: "Eins" },
  { start: 1_000, end: 2_000, title: "二" },
] as const;
