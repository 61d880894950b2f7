/**
 * Nothing of ours reaches a program that reads strangers' bytes: no credentials, no names of tables or buckets.
 *
 * @param temporary the folder for its temporary files
 */
export const scrubbedEnvironment = (temporary: string): NodeJS.ProcessEnv => {
  // biome-ignore lint/style/noProcessEnv: it hands on what others need, and reads nothing
  const { PATH, LANG, NODE_PATH, NODE_COMPILE_CACHE, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH } = process.env;
  const places = { PATH, NODE_PATH, NODE_COMPILE_CACHE, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH };
  return { ...places, LANG, HOME: temporary, TMPDIR: temporary };
};
