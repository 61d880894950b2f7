import { freshKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { Code } from "../../ui/copy.tsx";
import { Card } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { curlExample } from "../keys/curl.ts";
import { pastedKey } from "./pasted-key.ts";
import { clientSample, fetchSample, KEY_PLACEHOLDER, requestsSample, type SampleOf, urllibSample } from "./samples.ts";
import "./docs.css";

/** Programs that convert a file, with the user's own key if it is known. */
export const QuickStartSamples = () => {
  const { docs } = texts.value;
  const sample: SampleOf = { address: location.origin, key: freshKey.value ?? pastedKey.value ?? KEY_PLACEHOLDER };
  return (
    <Card title={docs.run.title}>
      <p>{docs.run.lead}</p>
      <Samples {...sample} />
    </Card>
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
