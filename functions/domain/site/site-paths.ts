import { type FormatPair, usualPairs } from "../formats/usual-targets.ts";
import { OPERATOR_PAGES } from "./operator-pages.ts";

/** The paths of the dashboard: the pages of the app, and a page for each usual conversion. */

/** The page about the API. It is the only page below `/api`. */
export const REFERENCE_PATH = "/api/v1/docs";

/** The pages of the app. Their content is loaded by scripts. */
export const APP_PATHS = [
  "/",
  ...OPERATOR_PAGES.map((page) => `/${page}` as const),
  "/account",
  REFERENCE_PATH,
  "/docs",
  "/formats",
  "/jobs",
  "/keys",
  "/operator",
  "/plans",
  "/presets",
  "/requests",
  "/sign-in",
  "/status",
  "/storages",
  "/usage",
  "/use",
  "/webhooks",
] as const;

export type AppPath = (typeof APP_PATHS)[number];

/** The languages of the pages; English has no prefix. */
export const SITE_LANGUAGES = ["en", "de"] as const;

export type SiteLanguage = (typeof SITE_LANGUAGES)[number];

/** @returns the path of the page of a conversion, such as `/de/convert/heic-to-jpg` */
export const pairPath = ([source, target]: FormatPair, language: SiteLanguage): string =>
  `${language === "en" ? "" : `/${language}`}/convert/${source}-to-${target}`;

/** @returns the paths of all pages of conversions */
export const pairPaths = (): readonly string[] =>
  usualPairs().flatMap((pair) => SITE_LANGUAGES.map((language) => pairPath(pair, language)));
