import { ApiProblem } from "../../api.ts";

/** Small files that are served with the pages, for people who want to try a conversion. */
export const SAMPLE_FILES = [
  { id: "photo", name: "photo.heic" },
  { id: "document", name: "letter.docx" },
  { id: "film", name: "clip.mov" },
] as const;

export type SampleId = (typeof SAMPLE_FILES)[number]["id"];

/** @throws ApiProblem if the file cannot be fetched */
export const sampleFile = async (id: SampleId): Promise<File> => {
  const name = SAMPLE_FILES.find((sample) => sample.id === id)?.name ?? "";
  const response = await fetch(`/samples/${name}`).catch(() => undefined);
  if (!response?.ok) {
    throw new ApiProblem({ code: "not_reachable", status: response?.status ?? 0, detail: "" });
  }
  return new File([await response.blob()], name);
};
