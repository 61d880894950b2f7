import { freshKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { KeyCard } from "../docs/key-card.tsx";
import { pastedKey } from "../docs/pasted-key.ts";
import { QuickStartSamples } from "../docs/quick-start-samples.tsx";
import { KEY_PLACEHOLDER } from "../docs/samples.ts";
import { Verify } from "../webhooks/verify.tsx";
import type { OpenapiDocument } from "./document.ts";
import { ErrorTables } from "./error-tables.tsx";
import { guideHref } from "./guides.ts";
import { OperationView } from "./operation-view.tsx";
import { ReferenceMarkdown } from "./reference-markdown.tsx";
import type { Topic } from "./topics.ts";

export interface TopicProps {
  readonly topic: Topic;
  readonly topics: readonly Topic[];
  readonly document: OpenapiDocument | undefined;
}

/** A guide or an operation, and links to the topics before and after it. */
export const TopicView = ({ topic, topics, document }: TopicProps) => {
  const { content } = topic;
  if (content.type === "operation" && document !== undefined) {
    return (
      <OperationView
        operation={content.operation}
        document={document}
        around={<Around topic={topic} topics={topics} />}
      />
    );
  }
  return (
    <article class="reference-text reference-guide">
      <h1 lang={content.type === "guide" ? "en" : undefined}>{topic.title}</h1>
      <GuideContent topic={topic} document={document} />
      <Around topic={topic} topics={topics} />
    </article>
  );
};

const GuideContent = ({ topic: { id, content }, document }: Omit<TopicProps, "topics">) => {
  if (content.type === "quickStart") {
    return (
      <>
        <KeyCard />
        <QuickStartSamples />
      </>
    );
  }
  if (content.type === "authentication") {
    return <Authentication document={document} />;
  }
  const text = content.type === "guide" ? content.text : "";
  return (
    <>
      <ReferenceMarkdown text={text} document={document} deeper={-1} hrefOf={guideHref} codeOf={filledIn} />
      {id === "webhooks" && <Verify isOpen />}
      {id === "errors" && document !== undefined && <ErrorTables document={document} />}
    </>
  );
};

const Authentication = ({ document }: Pick<TopicProps, "document">) => {
  const { reference } = texts.value;
  const code = `curl -sS '${location.origin}/api/v1/account' \\\n  -H 'Authorization: Bearer ${shownKey()}'`;
  return (
    <>
      <KeyCard />
      {document !== undefined && (
        <ReferenceMarkdown
          text={`${document.components.securitySchemes.apiKey.description}\n\n\`\`\`sh\n${code}\n\`\`\``}
          document={document}
        />
      )}
      <p>{reference.keySafety}</p>
    </>
  );
};

const shownKey = (): string => freshKey.value ?? pastedKey.value ?? KEY_PLACEHOLDER;

/** Replaces the variables of the documentation's commands with the address of this service and the reader's key. */
const filledIn = (code: string): string =>
  code.replaceAll("$API", `${location.origin}/api/v1`).replaceAll("$KEY", shownKey());

const Around = ({ topic, topics }: Omit<TopicProps, "document">) => {
  const { reference } = texts.value;
  const at = topics.indexOf(topic);
  const [before, after] = [topics[at - 1], topics[at + 1]];
  return (
    <nav class="reference-around" aria-label={reference.around}>
      {before && (
        <a href={`#${before.id}`} rel="prev">
          ← <span lang="en">{before.title}</span>
        </a>
      )}
      {after && (
        <a href={`#${after.id}`} rel="next">
          <span lang="en">{after.title}</span> →
        </a>
      )}
    </nav>
  );
};
