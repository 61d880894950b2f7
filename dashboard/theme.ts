import { signal } from "@preact/signals";

/** Light, dark, or the system's setting. */
export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

const KEY = "anyform-theme";

export const theme = signal<Theme>("system");

export const startTheme = (): void => setTheme(themes.find((name) => name === localStorage.getItem(KEY)) ?? "system");

export const setTheme = (next: Theme): void => {
  theme.value = next;
  localStorage.setItem(KEY, next);
  if (next === "system") {
    delete document.documentElement.dataset.theme;
    return;
  }
  document.documentElement.dataset.theme = next;
};
