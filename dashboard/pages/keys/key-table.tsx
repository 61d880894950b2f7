import { date, dateTime, number } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Table } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";
import { type Key, type KeyState, scopes, stateOf } from "./key-state.ts";

const TONES: Readonly<Record<KeyState, "bad" | "good" | "neutral" | "warning">> = {
  active: "good",
  expiring: "warning",
  expired: "neutral",
  revoked: "neutral",
};

export type KeyAction = "limits" | "revoke" | "rotate";

export interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly Key[];
  /** Called for the actions of a valid key. Without it, the table has no actions. */
  readonly onAction?: (action: KeyAction, key: Key) => void;
}

export const KeyTable = ({ caption, keys: rows, onAction }: KeyTableProps) => {
  const { keys } = texts.value;
  const heads = [keys.name, keys.key, keys.scopes, keys.limits.title, keys.created, keys.lastUsed, keys.state];
  return (
    <div class="stacked keys-table">
      <Table caption={caption} head={onAction ? [...heads, <span class="hidden">{keys.actions}</span>] : heads}>
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
            <td data-label={keys.limits.title}>
              <Limits of={key} />
            </td>
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
            {onAction && (
              <td class="row-actions">
                <Actions of={key} onAction={onAction} />
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
    ? keys.fullAccess
    : key.scopes.map((scope) => keys.dialog.scope[scope].toLowerCase()).join(", ");
};

/** The requests of this month, and the allowed origins. */
const Limits = ({ of: { monthly_limit, used_this_month, allowed_origins } }: { readonly of: Key }) => {
  const { limits } = texts.value.keys;
  return (
    <span class="keys-state">
      {monthly_limit === null ? limits.none : limits.used(number(used_this_month ?? 0), number(monthly_limit))}
      {allowed_origins?.map((origin) => (
        <small key={origin} class="hint keys-origin" title={origin}>
          {origin}
        </small>
      ))}
    </span>
  );
};

/** The key's state, and when it expires or became invalid. */
const State = ({ of: key }: { readonly of: Key }) => {
  const { keys } = texts.value;
  const state = stateOf(key, Date.now());
  const at = key.revoked_at ?? key.expires_at;
  const dateText = state === "revoked" || state === "expired" ? keys.since : keys.until;
  return (
    <span class="keys-state">
      <Badge tone={TONES[state]}>{keys.states[state]}</Badge>
      {at === null ? (
        <small class="hint">{keys.noExpiry}</small>
      ) : (
        <time class="hint" dateTime={at} title={dateTime(at)}>
          {dateText(date(at))}
        </time>
      )}
    </span>
  );
};

const Actions = ({
  of: key,
  onAction,
}: {
  readonly of: Key;
  readonly onAction: NonNullable<KeyTableProps["onAction"]>;
}) => {
  const { keys } = texts.value;
  return (
    <>
      <Button kind="quiet" aria-label={keys.limits.of(key.name)} onClick={() => onAction("limits", key)}>
        {keys.limits.title}
      </Button>
      <Button kind="quiet" aria-label={keys.rotateNamed(key.name)} onClick={() => onAction("rotate", key)}>
        {keys.rotate}
      </Button>
      <Button kind="quiet" aria-label={keys.revokeNamed(key.name)} onClick={() => onAction("revoke", key)}>
        {keys.revoke}
      </Button>
    </>
  );
};
