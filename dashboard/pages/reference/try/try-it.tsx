import { useEffect, useRef, useState } from "preact/hooks";
import { isMember, session } from "../../../session.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { announce } from "../../../ui/live.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PasteKey } from "../../docs/key-card.tsx";
import { pastedKey } from "../../docs/pasted-key.ts";
import type { OperationProps } from "../operation-view.tsx";
import { type Draft, missingIn, planned } from "./draft.ts";
import { DraftFields } from "./draft-fields.tsx";
import { ResponseView } from "./response-view.tsx";
import { type Received, sendPlanned } from "./send.ts";

export interface TryItProps extends OperationProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly apiKey: string | undefined;
}

/** A form that sends the request, and its response. */
export const TryIt = ({ operation, document, draft, onDraft, apiKey }: TryItProps) => {
  const { reference } = texts.value;
  const sending = useSending();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const isAllowed = operation.access === "none" || apiKey !== undefined || session.value.account !== null;
  const send = (event: Event): void => {
    event.preventDefault();
    const now = missingIn(operation, draft);
    setMissing(now);
    if (now.length === 0 && isAllowed) {
      const request = planned(operation, draft, { origin: location.origin, key: apiKey });
      void sending.run((signal) => sendPlanned(request, { withSession: apiKey === undefined, signal }));
    }
  };
  return (
    <form class="reference-try" onSubmit={send} noValidate>
      <h2>{reference.tryIt}</h2>
      {operation.access === "key" && <Identity apiKey={apiKey} />}
      <DraftFields operation={operation} document={document} draft={draft} onDraft={onDraft} missing={missing} />
      {missing.length > 0 && <Notice kind="bad">{reference.missing(missing.join(", "))}</Notice>}
      <div class="actions">
        <Button type="submit" kind="primary" busy={sending.isBusy} disabled={!isAllowed}>
          {reference.send}
        </Button>
        {sending.isBusy && <Button onClick={sending.stop}>{reference.stop}</Button>}
      </div>
      {sending.problem !== undefined && <Notice kind="bad">{sending.problem}</Notice>}
      {sending.received && <ResponseView received={sending.received} />}
    </form>
  );
};

/** Says with which key the request is sent, and takes one. */
const Identity = ({ apiKey }: Pick<TryItProps, "apiKey">) => {
  const { docs, reference } = texts.value;
  if (apiKey !== undefined) {
    return (
      <div class="reference-identity">
        <p>
          {reference.withKey} <code>{`${apiKey.slice(0, KEY_CHARACTERS_SHOWN)}…`}</code>
        </p>
        {pastedKey.value !== undefined && (
          <Button kind="quiet" onClick={() => (pastedKey.value = undefined)}>
            {docs.key.remove}
          </Button>
        )}
      </div>
    );
  }
  return (
    <>
      <p>{isMember.value ? reference.withSession : reference.withoutKey}</p>
      <PasteKey />
    </>
  );
};

/** `af_live_` and four characters. */
const KEY_CHARACTERS_SHOWN = 12;

interface SendingState {
  readonly received?: Received;
  readonly problem?: string;
}

/** Sends one request at a time. Leaving the page cancels it. */
const useSending = () => {
  const { reference } = texts.value;
  const [state, setState] = useState<SendingState>({});
  const [isBusy, setBusy] = useState(false);
  const control = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const run = async (task: (signal: AbortSignal) => Promise<Received>): Promise<void> => {
    control.current = new AbortController();
    setBusy(true);
    try {
      const received = await task(control.current.signal);
      setState({ received });
      announce(reference.received(received.status));
    } catch {
      // Cancelled by the reader, or there is no connection: the browser says no more than that.
      setState({ problem: control.current.signal.aborted ? reference.stopped : reference.unreachable });
    } finally {
      setBusy(false);
    }
  };
  return { ...state, isBusy, run, stop: () => control.current?.abort() };
};
