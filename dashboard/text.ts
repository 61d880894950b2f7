import { computed, signal } from "@preact/signals";
import { en } from "./text/en.ts";

/**
 * The texts of the pages. English is the source; another language is an object of the same shape, loaded when it is asked for.
 * What has numbers or names in it is a function.
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

/** The texts in the language of now: read `texts.value.keys.title` in a component, and it follows a change. */
export const texts = computed(() => current.value.texts);

export const setLocale = async (next: Locale): Promise<void> => {
  current.value = { locale: next, texts: await loaders[next]() };
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
};

/** Takes the language that was chosen before, else the first of the browser's that there is. */
export const startText = async (): Promise<void> => {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages].map((name) => name.slice(0, 2));
  const found = wanted.find((name): name is Locale => Object.hasOwn(locales, name));
  if (found !== undefined && found !== "en") {
    await setLocale(found);
  }
};
