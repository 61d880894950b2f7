import { Link } from "wouter-preact";
import { freshKey } from "../../fresh-key.ts";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { Code } from "../../ui/copy.tsx";
import { Card, PageHead } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { curlExample } from "../keys/curl.ts";
import { Errors } from "./errors.tsx";
import { KeyCard } from "./key-card.tsx";
import { pastedKey } from "./pasted-key.ts";
import {
  clientSample,
  fetchSample,
  idempotentSample,
  KEY_PLACEHOLDER,
  requestsSample,
  type SampleOf,
  urllibSample,
  webhookSample,
} from "./samples.ts";
import "./docs.css";

/** How to use this service from a program, with the user's own key in the examples if it is known. */
export const DocsPage = () => {
  const { docs } = texts.value;
  const sample: SampleOf = { address: location.origin, key: freshKey.value ?? pastedKey.value ?? KEY_PLACEHOLDER };
  return (
    <>
      <PageHead title={docs.title} lead={docs.lead} />
      <KeyCard />
      <Card title={docs.run.title}>
        <p>{docs.run.lead}</p>
        <Samples {...sample} />
      </Card>
      <More {...sample} />
      <Errors />
      <Links />
    </>
  );
};

const Samples = (sample: SampleOf) => {
  const { docs, keys } = texts.value;
  const { run } = docs;
  const tabs = [
    { id: "curl", note: run.curlNote, code: curlExample({ ...sample, comments: keys.curl }) },
    {
      id: "client",
      note: `${run.clientNote}npx node client/build.ts && npm install ./client/dist`,
      code: clientSample(sample),
    },
    { id: "fetch", note: run.fetchNote, code: fetchSample(sample) },
    { id: "requests", note: run.requestsNote, code: requestsSample(sample) },
    { id: "urllib", note: run.urllibNote, code: urllibSample(sample) },
  ] as const;
  return (
    <Tabs
      label={run.language}
      tabs={tabs.map(({ id, note, code }) => ({
        id,
        label: run[id],
        content: (
          <div class="docs-sample">
            <p class="muted">{note}</p>
            <Code text={code} label={run.code(run[id])} />
          </div>
        ),
      }))}
    />
  );
};

const More = (sample: SampleOf) => {
  const { docs } = texts.value;
  const { more } = docs;
  return (
    <Card title={more.title}>
      <div class="docs-more">
        <h3>{more.wait}</h3>
        <p>{more.waitText}</p>
        <h3>{more.idempotency}</h3>
        <p>{more.idempotencyText}</p>
        <Code text={idempotentSample(sample)} label={`${more.examples}: ${more.idempotency}`} />
        <h3>{more.webhooks}</h3>
        <p>
          {more.webhooksText} {isMember.value && <Link href="/webhooks">{more.webhooksLink}</Link>}
        </p>
        <Code text={webhookSample} label={`${more.examples}: ${more.webhooks}`} />
        <h3>{more.limits}</h3>
        <p>{more.limitsText}</p>
      </div>
    </Card>
  );
};

const Links = () => {
  const { links } = texts.value.docs;
  return (
    <Card title={links.title}>
      <ul class="docs-links">
        <li>
          <a href="/api/v1/docs">{links.reference}</a>
        </li>
        <li>
          <a href="/api/v1/openapi.json">{links.openapi}</a>
        </li>
        <li>
          <Link href="/formats">{links.formats}</Link>
        </li>
        <li>
          <Link href="/status">{links.status}</Link>
        </li>
      </ul>
    </Card>
  );
};
