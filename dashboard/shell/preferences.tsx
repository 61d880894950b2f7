import { type Locale, locale, locales, switchLocale, texts } from "../text.ts";
import { setTheme, theme, themes } from "../theme.ts";

const isLocale = (text: string): text is Locale => Object.hasOwn(locales, text);

/** Settings for language and appearance. */
export const Preferences = () => {
  const { shell } = texts.value;
  return (
    <div class="preferences">
      <label>
        <span>{shell.language}</span>
        <select
          value={locale.value}
          onChange={({ currentTarget: { value } }) => isLocale(value) && void switchLocale(value)}
        >
          {Object.entries(locales).map(([id, name]) => (
            <option key={id} value={id} lang={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{shell.appearance}</span>
        <select
          value={theme.value}
          onChange={({ currentTarget }) => setTheme(themes.find((name) => name === currentTarget.value) ?? "system")}
        >
          {themes.map((name) => (
            <option key={name} value={name}>
              {shell[name]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
};
