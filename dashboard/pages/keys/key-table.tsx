import { date, dateTime } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Table } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";
import { type Key, type KeyState, scopes, stateOf } from "./key-state.ts";

const TONES: Readonly<Record<KeyState, "bad" | "good" | "neutral" | "warning">> = {
  good: "good",
  ends: "warning",
  expired: "neutral",
  revoked: "neutral",
};

export interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly Key[];
  /** What can be done to a key that holds; without it nothing can be done. */
  readonly onAct?: (act: "revoke" | "rotate", key: Key) => void;
}

export const KeyTable = ({ caption, keys: rows, onAct }: KeyTableProps) => {
  const { keys } = texts.value;
  const heads = [keys.name, keys.key, keys.scopes, keys.created, keys.lastUsed, keys.state];
  return (
    <div class="stacked keys-table">
      <Table caption={caption} head={onAct ? [...heads, <span class="hidden">{keys.actions}</span>] : heads}>
        {rows.map((key) => (
          <tr key={key.id}>
            <th scope="row">{key.name}</th>
            <td data-label={keys.key}>
              <span class="keys-key">
                <code>{key.prefix}…</code>{" "}
                <Badge tone={key.kind === "test" ? "busy" : "neutral"}>{keys[key.kind]}</Badge>
              </span>
            </td>
            <td data-label={keys.scopes}>{scopesOf(key)}</td>
            <td data-label={keys.created}>
              <Ago at={key.created_at} />
            </td>
            <td data-label={keys.lastUsed}>
              {key.last_used_at === null ? (
                <span class="keys-unused">{keys.neverUsed}</span>
              ) : (
                <Ago at={key.last_used_at} />
              )}
            </td>
            <td data-label={keys.state}>
              <State of={key} />
            </td>
            {onAct && (
              <td class="acts">
                <Acts of={key} onAct={onAct} />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
  );
};

const scopesOf = (key: Key): string => {
  const { keys } = texts.value;
  return key.scopes.length === scopes.length
    ? keys.everything
    : key.scopes.map((scope) => keys.dialog.scope[scope].toLowerCase()).join(", ");
};

/** Whether the key holds, and until when, or since when it no longer does. */
const State = ({ of: key }: { readonly of: Key }) => {
  const { keys } = texts.value;
  const state = stateOf(key, Date.now());
  const at = key.revoked_at ?? key.expires_at;
  const says = state === "revoked" || state === "expired" ? keys.since : keys.until;
  return (
    <span class="keys-state">
      <Badge tone={TONES[state]}>{keys.states[state]}</Badge>
      {at === null ? (
        <small class="hint">{keys.noExpiry}</small>
      ) : (
        <time class="hint" dateTime={at} title={dateTime(at)}>
          {says(date(at))}
        </time>
      )}
    </span>
  );
};

const Acts = ({ of: key, onAct }: { readonly of: Key; readonly onAct: NonNullable<KeyTableProps["onAct"]> }) => {
  const { keys } = texts.value;
  return (
    <>
      <Button kind="quiet" aria-label={keys.rotateNamed(key.name)} onClick={() => onAct("rotate", key)}>
        {keys.rotate}
      </Button>
      <Button kind="quiet" aria-label={keys.revokeNamed(key.name)} onClick={() => onAct("revoke", key)}>
        {keys.revoke}
      </Button>
    </>
  );
};
