/** Layout of a JSON text; values keep their notation. */

const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/** @returns the JSON without white space between values */
export const compactJson = (json: string): string =>
  /^["\d\-ntf]/.test(json) || !/\s/.test(json) ? json : json.replaceAll(STRING_OR_SPACE, "$1");

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * @param spaces indentation of each level
 * @param level level of the value
 * @returns the JSON, one value per line, without indentation before the first line
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
