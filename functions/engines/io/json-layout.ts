/** How a JSON text is laid out; its values stay as they are written. */

const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/** @returns the JSON without the white space between its values */
export const compactJson = (json: string): string =>
  /^["\d\-ntf]/.test(json) || !/\s/.test(json) ? json : json.replaceAll(STRING_OR_SPACE, "$1");

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * @param spaces by which each level is set in
 * @param level at which the value stands
 * @returns the JSON, one value a line, but for the place where it begins
 */
export const indentedJson = (json: string, spaces: number, level = 0): string => {
  let depth = level;
  const line = () => `\n${" ".repeat(spaces * depth)}`;
  const place = (token: string): string => {
    if (token === "{" || token === "[") {
      depth += 1;
      return token + line();
    }
    if (token === "}" || token === "]") {
      depth -= 1;
      return line() + token;
    }
    return token === ","
      ? token + line()
      : token === ":"
        ? ": "
        : token.startsWith('"')
          ? token
          : token.replaceAll(/\s/g, "");
  };
  return (json.match(TOKENS) ?? []).map(place).join("");
};
