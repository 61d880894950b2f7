import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { dateTime } from "../../format.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Verify } from "./verify.tsx";

type Secret = Schemas["WebhookSecrets"]["secrets"][number];

/** The signing secret, and how a receiver verifies signatures. */
export const SecretsCard = () => {
  const { secret } = texts.value.webhooks;
  const read = useRemote(() => api.get<Schemas["WebhookSecrets"]>("webhooks/secret"));
  const [isAsking, setAsking] = useState(false);
  const rotate = async (): Promise<void> => {
    await api.post("webhooks/secret");
    await read.reload();
    toast(secret.rotated);
    setAsking(false);
  };
  const creating = useAction(rotate);
  const secrets = read.data?.secrets;
  return (
    <Card title={secret.title}>
      <p class="muted">{secret.lead}</p>
      <Loaded of={read} isEmpty={(data) => data.secrets.length === 0} empty={<p>{secret.none}</p>}>
        {(data) => data.secrets.map((each) => <SecretRow key={each.created_at} secret={each} />)}
      </Loaded>
      {creating.problem !== undefined && <ProblemNotice error={creating.problem} />}
      {secrets && (
        <div class="actions">
          {secrets.length === 0 ? (
            <Button onClick={creating.run}>{secret.create}</Button>
          ) : (
            <Button onClick={() => setAsking(true)}>{secret.rotate}</Button>
          )}
        </div>
      )}
      <Verify />
      {isAsking && (
        <Confirm
          title={secret.confirmTitle}
          action={secret.confirmAction}
          onConfirm={rotate}
          onClose={() => setAsking(false)}
        >
          <p>{secret.confirmLead}</p>
        </Confirm>
      )}
    </Card>
  );
};

export const SecretRow = ({ secret: { secret: value, created_at, expires_at } }: { readonly secret: Secret }) => {
  const { secret } = texts.value.webhooks;
  const [isShown, setShown] = useState(false);
  return (
    <div class="webhooks-secret">
      <code>
        {isShown ? (
          value
        ) : (
          <>
            <span aria-hidden="true">whsec_••••••••••••••••</span>
            <span class="hidden">{secret.hidden}</span>
          </>
        )}
      </code>
      <div class="actions">
        <Button
          aria-expanded={isShown}
          aria-label={isShown ? undefined : secret.showOf(dateTime(created_at))}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? secret.hide : secret.show}
        </Button>
        <CopyButton text={value} label={secret.copy} />
      </div>
      <p class="hint">
        {secret.created(dateTime(created_at))}
        {expires_at !== null && ` · ${secret.signsUntil(dateTime(expires_at))}`}
      </p>
    </div>
  );
};
