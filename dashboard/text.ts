import { computed, signal } from "@preact/signals";
import { en } from "./text/en.ts";

/**
 * The texts of the pages. English is the source; another language is an object of the same shape, loaded on demand.
 * Texts with numbers or names are functions.
 */
export type Texts = typeof en;

export const locales = { en: "English", de: "Deutsch" } as const;

export type Locale = keyof typeof locales;

const KEY = "anyform-locale";

const loaders: Readonly<Record<Locale, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import("./text/de.ts")).de,
};

const current = signal<{ readonly locale: Locale; readonly texts: Texts }>({ locale: "en", texts: en });

export const locale = computed(() => current.value.locale);

/** The reader's variant of the current language, such as `en-GB`: it decides how dates and numbers are written. */
export const region = computed(
  () => navigator.languages.find((name) => name.slice(0, 2) === locale.value) ?? locale.value,
);

/** The texts in the current language: a component that reads `texts.value.keys.title` is updated when it changes. */
export const texts = computed(() => current.value.texts);

const showLocale = async (next: Locale): Promise<void> => {
  current.value = { locale: next, texts: await loaders[next]() };
  document.documentElement.lang = next;
};

const setLocale = async (next: Locale): Promise<void> => {
  await showLocale(next);
  localStorage.setItem(KEY, next);
};

/** @returns the paths of the page by language; none for a page that has one address for all languages */
const pathsByLanguage = (): ReadonlyMap<string, string> => {
  const links = document.querySelectorAll<HTMLLinkElement>("link[hreflang]");
  const paths = new Map([...links].map(({ hreflang, href }) => [hreflang, new URL(href).pathname]));
  return [...paths.values()].includes(location.pathname) ? paths : new Map();
};

/** Changes the language, and goes to the page in that language if it has its own address. */
export const switchLocale = async (next: Locale): Promise<void> => {
  const path = pathsByLanguage().get(next);
  if (path === undefined) {
    await setLocale(next);
    return;
  }
  localStorage.setItem(KEY, next);
  location.assign(path);
};

/**
 * Selects the language of the address if it has one, otherwise the stored language, otherwise the first of the
 * browser's languages that is available.
 */
export const startText = async (): Promise<void> => {
  const own = pathsByLanguage().size > 0 ? [document.documentElement.lang] : [];
  const preferred = [...own, localStorage.getItem(KEY) ?? "", ...navigator.languages].map((name) => name.slice(0, 2));
  const found = preferred.find((name): name is Locale => Object.hasOwn(locales, name));
  if (found !== undefined && found !== "en") {
    await showLocale(found);
  }
};
