import type { Codec } from "./codec.ts";
import { readDocuments } from "./yaml-reader.ts";
import { writeYaml } from "./yaml-writer.ts";

/** YAML 1.2, of several documents too, which become a list. */
export const yamlCodec: Codec = {
  read: async (source) => {
    const documents = readDocuments(await source.text(), source);
    if (documents.length > 1) {
      source.notes.add("documents_as_list", documents.length);
      return documents;
    }
    return documents[0] ?? null;
  },
  write: writeYaml,
};
