import { type OpenapiDocument, type Operation, operationsOf } from "./document.ts";
import { guides } from "./guides.ts";

/** What the reference shows at one address, such as `/api/v1/docs#createUpload`. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  /** The heading in the navigation. */
  readonly group: string;
  /** What the search finds, in lowercase. */
  readonly words: string;
  readonly content:
    | { readonly type: "guide"; readonly text: string }
    | { readonly type: "operation"; readonly operation: Operation }
    | { readonly type: "authentication" | "quickStart" };
}

export interface TopicNames {
  readonly start: string;
  readonly guides: string;
  readonly quickStart: string;
  readonly authentication: string;
  readonly messages: string;
  readonly dashboard: string;
}

/** Sections of the guide to begin with. */
const FIRST: ReadonlySet<string> = new Set(["overview", "test-keys"]);

/** @returns all topics in the order of the navigation; without a document only those that do not need it */
export const topicsOf = (document: OpenapiDocument | undefined, names: TopicNames): readonly Topic[] => {
  const guideTopics = guides.map(
    ({ id, title, text }): Topic => ({
      id,
      title,
      group: FIRST.has(id) ? names.start : names.guides,
      words: `${title} ${text}`.toLowerCase(),
      content: { type: "guide", text },
    }),
  );
  const start: readonly Topic[] = [
    { ...special("quick-start", names.quickStart, names.start), content: { type: "quickStart" } },
    { ...special("authentication", names.authentication, names.start), content: { type: "authentication" } },
  ];
  const [first, others] = [true, false].map((isFirst) => guideTopics.filter(({ id }) => FIRST.has(id) === isFirst));
  return [...start, ...(first ?? []), ...(others ?? []), ...(document ? operationTopics(document, names) : [])];
};

const special = (id: string, title: string, group: string) => ({ id, title, group, words: title.toLowerCase() });

/** Operations by tag, then messages, then what is only for the pages of the service. */
const operationTopics = (document: OpenapiDocument, names: TopicNames): readonly Topic[] => {
  const groups = [...document.tags.map(({ name }) => name), names.messages, names.dashboard];
  const groupOf = ({ kind, access, tag }: Operation): string => {
    if (kind === "message") {
      return names.messages;
    }
    return access === "dashboard" ? names.dashboard : tag;
  };
  const topics = operationsOf(document).map(
    (operation): Topic => ({
      id: operation.id,
      title: operation.summary,
      group: groupOf(operation),
      words: wordsOf(operation),
      content: { type: "operation", operation },
    }),
  );
  return groups.flatMap((group) => topics.filter((topic) => topic.group === group));
};

const wordsOf = ({ id, summary, method, path, description, parameters, bodies, responses }: Operation): string =>
  [
    ...[id, summary, method, path, description],
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(([type, { schema }]) => [type, ...Object.keys(schema.properties ?? {})]),
    ...responses.map(([status, response]) => `${status} ${response.description}`),
  ]
    .join(" ")
    .toLowerCase();

/** @returns the topics that contain all words; those with a match in the title, ID or path come first */
export const found = (topics: readonly Topic[], search: string): readonly Topic[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = topics.filter((topic) => words.every((word) => topic.words.includes(word)));
  const isNamed = ({ id, title, content }: Topic): boolean => {
    const path = content.type === "operation" ? content.operation.path : "";
    const name = `${id} ${title} ${path}`.toLowerCase();
    return words.every((word) => name.includes(word));
  };
  return [...matches.filter(isNamed), ...matches.filter((topic) => !isNamed(topic))];
};
