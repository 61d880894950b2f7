/**
 * @param template an operation's path, with `{name}` for a parameter
 * @returns the parameters of a path that matches the template, decoded; undefined when it does not match, lacks a parameter
 * or has invalid percent-encoding
 */
export const pathParams = (template: string, path: string): Record<string, string> | undefined => {
  const [names, parts] = [template.split("/"), path.split("/")];
  const fits = (name: string, index: number): boolean =>
    name.startsWith("{") ? parts[index] !== "" : name === parts[index];
  if (names.length !== parts.length || !names.every(fits)) {
    return undefined;
  }
  try {
    return Object.fromEntries(
      names.flatMap((name, index) =>
        name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(parts[index] ?? "")]] : [],
      ),
    );
  } catch {
    return undefined;
  }
};
