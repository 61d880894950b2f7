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

/** The texts in the current language: a component that reads `texts.value.keys.title` is updated when it changes. */
export const texts = computed(() => current.value.texts);

export const setLocale = async (next: Locale): Promise<void> => {
  current.value = { locale: next, texts: await loaders[next]() };
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
};

/** Selects the stored language, otherwise the first of the browser's languages that is available. */
export const startText = async (): Promise<void> => {
  const preferred = [localStorage.getItem(KEY) ?? "", ...navigator.languages].map((name) => name.slice(0, 2));
  const found = preferred.find((name): name is Locale => Object.hasOwn(locales, name));
  if (found !== undefined && found !== "en") {
    await setLocale(found);
  }
};
