import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { freshKey } from "../../../fresh-key.ts";
import { texts } from "../../../text.ts";
import { Code } from "../../../ui/copy.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { pastedKey } from "../../docs/pasted-key.ts";
import { KEY_PLACEHOLDER } from "../../docs/samples.ts";
import { examplesOf } from "../document.ts";
import type { OperationProps } from "../operation-view.tsx";
import { firstDraft, planned } from "./draft.ts";
import { curlSample, pythonSample, typescriptSample } from "./samples.ts";
import { TryIt } from "./try-it.tsx";

const LANGUAGES = [
  ["curl", "curl", curlSample],
  ["typescript", "TypeScript", typescriptSample],
  ["python", "Python", pythonSample],
] as const;

/** The language that the reader selected for all operations. */
const language = signal<string>("curl");

/** The code of a request, the form to send it, and examples of its responses. */
export const RequestPanel = ({ operation, document }: OperationProps) => {
  const { reference } = texts.value;
  const [draft, setDraft] = useState(() => firstDraft(document, operation));
  const key = freshKey.value ?? pastedKey.value;
  const shown = planned(operation, draft, { origin: location.origin, key: key ?? KEY_PLACEHOLDER });
  const isRequest = operation.kind === "request";
  return (
    <aside class="reference-code" aria-label={reference.code}>
      {isRequest && operation.access !== "dashboard" && (
        <Tabs
          label={reference.language}
          initial={language.value}
          onSelect={(id) => (language.value = id)}
          tabs={LANGUAGES.map(([id, label, sample]) => ({
            id,
            label,
            content: <Code text={sample(shown)} label={reference.codeIn(label)} />,
          }))}
        />
      )}
      {isRequest && operation.access === "dashboard" && <p class="muted">{reference.dashboardOnly}</p>}
      {isRequest && operation.access !== "dashboard" && (
        <TryIt operation={operation} document={document} draft={draft} onDraft={setDraft} apiKey={key} />
      )}
      <Examples operation={operation} document={document} />
    </aside>
  );
};

interface ShownExample {
  readonly label: string;
  readonly text: string;
}

/** Examples of bodies: those of a message, or of the responses. */
const Examples = ({ operation, document }: OperationProps) => {
  const { reference } = texts.value;
  const [at, setAt] = useState(0);
  const sources =
    operation.kind === "message" || operation.access === "dashboard"
      ? [...operation.bodies.map(([, content]) => ["", content] as const), ...contentsOf(operation)]
      : contentsOf(operation);
  const all = sources.flatMap(([status, content]) =>
    examplesOf(document, content).map(
      ({ name, summary, value }): ShownExample => ({
        label: `${status} ${Number(status) >= 400 ? name : summary}`.trim(),
        text: JSON.stringify(value, null, 2),
      }),
    ),
  );
  const shown = all[at];
  return shown === undefined ? null : (
    <section class="reference-examples">
      <h2>{operation.kind === "message" ? reference.messageExample : reference.responseExample}</h2>
      <div lang="en">
        <SelectField
          label={<span class="hidden">{reference.example}</span>}
          value={String(at)}
          choices={all.map(({ label }, index) => [String(index), label] as const)}
          onChoice={(next) => setAt(Number(next))}
        />
      </div>
      <Code text={shown.text} label={shown.label} />
    </section>
  );
};

const contentsOf = ({ responses }: OperationProps["operation"]) =>
  responses.flatMap(([status, { content = {} }]) => Object.values(content).map((each) => [status, each] as const));
