/** The names of browsers and operating systems, from the user agent. */

/** In this order: many user agents also contain the names of other browsers, and most contain Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Maximum number of `User-Agent` characters that are inspected; browsers send about 150. */
const USER_AGENT_CHARACTERS_MAX = 500;

/** @returns the browser and the system, `Firefox on Linux`, without any client-provided text */
export const deviceOf = (userAgent: string | undefined): string => {
  const text = (userAgent ?? "").slice(0, USER_AGENT_CHARACTERS_MAX);
  const named = (table: readonly (readonly [RegExp, string])[]) => table.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [named(BROWSERS) ?? "A browser", named(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
};
