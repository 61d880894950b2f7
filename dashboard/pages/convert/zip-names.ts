/** @returns the names in the ZIP: with their folders, and none twice, since most programs keep the last of equals only */
export const zipNames = (files: readonly { readonly folder: string; readonly name: string }[]): readonly string[] => {
  const taken = new Set<string>();
  return files.map(({ folder, name }) => {
    const wanted = `${folder}${name}`;
    let free = wanted;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
      free = numbered(wanted, number);
    }
    taken.add(free.toLowerCase());
    return free;
  });
};

/** @returns `a/b (2).png`; only the last ending stays behind the number, since `v1.2.png` has no other */
const numbered = (path: string, number: number): string => {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1
    ? `${path.slice(0, dot)} (${number})${path.slice(dot)}`
    : `${path} (${number})`;
};
