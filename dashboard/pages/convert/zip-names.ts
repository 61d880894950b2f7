/** @returns unique names with their folders: of entries with the same name, most programs extract only the last */
export const zipNames = (files: readonly { readonly folder: string; readonly name: string }[]): readonly string[] => {
  const used = new Set<string>();
  return files.map(({ folder, name }) => {
    const original = `${folder}${name}`;
    let unique = original;
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) {
      unique = numbered(original, number);
    }
    used.add(unique.toLowerCase());
    return unique;
  });
};

/** @returns `a/b (2).png`; the number is inserted before the last extension, as in `v1.2 (2).png` */
const numbered = (path: string, number: number): string => {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1
    ? `${path.slice(0, dot)} (${number})${path.slice(dot)}`
    : `${path} (${number})`;
};
