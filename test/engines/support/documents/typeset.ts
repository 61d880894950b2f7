import { join } from "node:path";
import typst from "@myriaddreamin/typst-ts-node-compiler";

/**
 * @param source typst markup
 * @param files files used in the markup, by path: `/picture.png`
 * @returns a PDF, typeset in the test fonts
 */
export const typeset = (source: string, files: Readonly<Record<string, Buffer>> = {}): Buffer => {
  const compiler = typst.NodeCompiler.create({
    workspace: "/",
    fontArgs: [{ fontPaths: [join(import.meta.dirname, "../../../../node_modules/dejavu-fonts-ttf/ttf")] }],
  });
  for (const [path, bytes] of Object.entries(files)) {
    compiler.mapShadow(path, bytes);
  }
  return compiler.pdf({ mainFileContent: `#set text(font: "DejaVu Sans", size: 10pt)\n${source}` });
};
