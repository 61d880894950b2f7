import { Link } from "wouter-preact";
import { texts } from "../../text.ts";
import { Card, PageHead } from "../../ui/parts.tsx";
import { KeyCard } from "./key-card.tsx";
import { QuickStartSamples } from "./quick-start-samples.tsx";
import "./docs.css";

/** How to use this service from a program, with the user's own key in the examples if it is known. */
export const DocsPage = () => {
  const { docs } = texts.value;
  return (
    <>
      <PageHead title={docs.title} lead={docs.lead} />
      <KeyCard />
      <QuickStartSamples />
      <Next />
    </>
  );
};

const REFERENCE = "/api/v1/docs";

/** Topics of the reference that an integration needs, with the texts of their links. */
const TOPICS = [
  ["waiting-for-the-result", "wait"],
  ["retries-and-idempotency", "idempotency"],
  ["webhooks", "webhooks"],
  ["large-files", "large"],
  ["quotas-and-rate-limits", "limits"],
  ["errors", "errors"],
] as const;

const Next = () => {
  const { next } = texts.value.docs;
  return (
    <Card title={next.title}>
      <ul class="docs-links">
        {TOPICS.map(([topic, text]) => (
          <li key={topic}>
            <Link href={`${REFERENCE}#${topic}`}>{next[text]}</Link>
          </li>
        ))}
        <li>
          <Link href={REFERENCE}>{next.reference}</Link>
        </li>
        <li>
          <a href="/api/v1/openapi.json">{next.openapi}</a>
        </li>
        <li>
          <Link href="/formats">{next.formats}</Link>
        </li>
        <li>
          <Link href="/status">{next.status}</Link>
        </li>
      </ul>
    </Card>
  );
};
