import { useState } from "preact/hooks";
import { ApiProblem, api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import type { Endpoint } from "./endpoints.tsx";
import { SecretRow } from "./secrets.tsx";
import { isAddress } from "./url.ts";

type EventType = Endpoint["events"][number];

/** Maximum characters of a description that the service accepts. */
const DESCRIPTION_CHARACTERS_MAX = 100;

export interface EndpointDialogProps {
  /** @default a new endpoint */
  readonly of?: Endpoint;
  readonly onClose: () => void;
  readonly onDone: () => void;
  /** Called when the secret of the endpoint was rotated. */
  readonly onChange: () => unknown;
}

/** Adds an endpoint, or changes one. */
export const EndpointDialog = ({ of: endpoint, onClose, onDone, onChange }: EndpointDialogProps) => {
  const { webhooks, common } = texts.value;
  const { endpoints: words, deliveries } = webhooks;
  const all = Object.keys(deliveries.types) as EventType[];
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(endpoint?.events ?? all);
  const [enabled, setEnabled] = useState(endpoint?.enabled ?? true);
  const [isChecked, setChecked] = useState(false);
  const saving = useAction(async () => {
    const path = endpoint === undefined ? "webhook-endpoints" : `webhook-endpoints/${endpoint.id}`;
    await api.post<Endpoint>(path, { url: url.trim(), description: description.trim(), events, enabled });
    toast(words.saved);
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    if (isAddress(url.trim()) && events.length > 0 && (await saving.run())) {
      onDone();
    }
  };
  const urlError = isChecked && !isAddress(url.trim()) ? webhooks.address.wrong : problemAt(saving.problem, "/url");
  return (
    <Dialog
      title={endpoint === undefined ? words.addTitle : words.editTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="webhooks-endpoint">
            {words.save}
          </Button>
        </>
      }
    >
      <form id="webhooks-endpoint" class="webhooks-form" noValidate onSubmit={submit}>
        <TextField
          label={words.url}
          hint={webhooks.address.hint}
          error={urlError}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellcheck={false}
          value={url}
          onText={setUrl}
        />
        <TextField
          label={words.description}
          hint={words.descriptionHint}
          maxLength={DESCRIPTION_CHARACTERS_MAX}
          autoComplete="off"
          value={description}
          onText={setDescription}
        />
        <fieldset aria-describedby={isChecked && events.length === 0 ? "webhooks-events-error" : undefined}>
          <legend>{words.events}</legend>
          {all.map((type) => (
            <CheckField
              key={type}
              label={deliveries.types[type]}
              checked={events.includes(type)}
              onCheck={(on) => setEvents(all.filter((each) => (each === type ? on : events.includes(each))))}
            />
          ))}
          {isChecked && events.length === 0 && (
            <small id="webhooks-events-error" class="error" role="alert">
              {words.eventsMissing}
            </small>
          )}
        </fieldset>
        <CheckField label={words.enable} hint={words.enableHint} checked={enabled} onCheck={setEnabled} />
        {saving.problem !== undefined && urlError === undefined && <ProblemNotice error={saving.problem} />}
      </form>
      {endpoint && <EndpointSecrets of={endpoint} onChange={onChange} />}
    </Dialog>
  );
};

const problemAt = (problem: unknown, pointer: string): string | undefined =>
  problem instanceof ApiProblem ? problem.errors.find((error) => error.pointer === pointer)?.detail : undefined;

/** The secrets of the endpoint, and their rotation, which applies immediately. */
const EndpointSecrets = ({ of: endpoint, onChange }: Required<Pick<EndpointDialogProps, "of" | "onChange">>) => {
  const { secret } = texts.value.webhooks;
  const [secrets, setSecrets] = useState(endpoint.secrets);
  const rotating = useAction(async () => {
    const rotated = await api.post<Schemas["WebhookSecrets"]>(`webhook-endpoints/${endpoint.id}/secret`);
    setSecrets(rotated.secrets);
    toast(secret.rotated);
    await onChange();
  });
  return (
    <section class="webhooks-form" aria-labelledby="webhooks-endpoint-secret">
      <h3 id="webhooks-endpoint-secret">{secret.title}</h3>
      {secrets.map((each) => (
        <SecretRow key={each.created_at} secret={each} />
      ))}
      <p class="hint">{secret.confirmLead}</p>
      <div class="actions">
        <Button onClick={() => void rotating.run()}>{secret.rotate}</Button>
      </div>
      {rotating.problem !== undefined && <ProblemNotice error={rotating.problem} />}
    </section>
  );
};
