import type { Codec } from "../codec.ts";
import { readDocuments } from "./reader.ts";
import { writeYaml } from "./writer.ts";

/** YAML 1.2. Several documents become a list. */
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
