import { useRef, useState } from "preact/hooks";
import { ApiProblem, api, type Schemas } from "../../api.ts";
import { keepKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { announce } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { EXPIRY_DAYS, expiryOf, type Scope, scopes } from "./key-state.ts";

/** Characters that the service takes of a name. */
const NAME_CHARACTERS_MAX = 100;

interface Wanted {
  readonly name: string;
  readonly kind: "live" | "test";
  readonly scopes: readonly Scope[];
  readonly expiry: string;
  readonly day: string;
}

/** The first field that is to be put right: there the reader goes on. */
const WRONG = "[aria-invalid=true], fieldset[aria-describedby] input";

const EVERYTHING: Wanted = { name: "", kind: "live", scopes, expiry: "never", day: "" };

/** @throws ApiProblem */
const makeKey = async ({ name, kind, scopes, expiry, day }: Wanted = EVERYTHING): Promise<void> => {
  const expiresAt = expiryOf(expiry, day, Date.now());
  keepKey(
    await api.post<Schemas["NewKey"]>("keys", { name, kind, scopes, ...(expiresAt && { expires_at: expiresAt }) }),
  );
  announce(texts.value.keys.made.announced);
};

/** Makes a key that may do everything, and holds until it is revoked. @throws ApiProblem */
export const makeFirstKey = (): Promise<void> => makeKey({ ...EVERYTHING, name: texts.value.keys.first.name });

/** Asks what a key is to be, and makes it. */
export const MakeKeyDialog = ({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) => {
  const { keys, common } = texts.value;
  const [wanted, setWanted] = useState(EVERYTHING);
  const [wrong, setWrong] = useState<Partial<Record<keyof Wanted, string>>>({});
  const [busy, setBusy] = useState(false);
  const making = useAction(makeKey);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<Wanted>): void => setWanted({ ...wanted, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const found = faults(wanted);
    setWrong(found);
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(WRONG)?.focus());
      return;
    }
    setBusy(true);
    if (await making.run({ ...wanted, name: wanted.name.trim() })) {
      onMade();
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={keys.dialog.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="keys-make" busy={busy}>
            {keys.dialog.make}
          </Button>
        </>
      }
    >
      <form ref={form} id="keys-make" class="keys-form" noValidate onSubmit={submit}>
        <TextField
          label={keys.dialog.name}
          hint={keys.dialog.nameHint}
          error={wrong.name ?? nameProblem(making.problem)}
          value={wanted.name}
          maxLength={NAME_CHARACTERS_MAX}
          autoComplete="off"
          required
          onText={(name) => change({ name })}
        />
        <KindField value={wanted.kind} onKind={(kind) => change({ kind })} />
        <ScopesField value={wanted.scopes} error={wrong.scopes} onScopes={(own) => change({ scopes: own })} />
        <ExpiryField wanted={wanted} error={wrong.day} onChange={change} />
        {making.problem !== undefined && <ProblemNotice error={making.problem} />}
      </form>
    </Dialog>
  );
};

const faults = ({ name, scopes: own, expiry, day }: Wanted): Partial<Record<keyof Wanted, string>> => {
  const { dialog } = texts.value.keys;
  return {
    ...(name.trim() === "" && { name: dialog.nameMissing }),
    ...(own.length === 0 && { scopes: dialog.scopesMissing }),
    ...(expiryOf(expiry, day, Date.now()) === undefined && { day: dialog.dateMissing }),
  };
};

const nameProblem = (problem: unknown): string | undefined =>
  problem instanceof ApiProblem ? problem.errors.find(({ pointer }) => pointer === "/name")?.detail : undefined;

const KindField = ({
  value,
  onKind,
}: {
  readonly value: "live" | "test";
  readonly onKind: (kind: "live" | "test") => void;
}) => {
  const { dialog } = texts.value.keys;
  return (
    <fieldset>
      <legend>{dialog.kind}</legend>
      {(["live", "test"] as const).map((kind) => (
        <label key={kind} class="keys-choice">
          <input type="radio" name="kind" value={kind} checked={kind === value} onChange={() => onKind(kind)} />
          <span>
            {dialog[kind]}
            <small class="hint">{dialog[`${kind}Hint`]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

interface ScopesFieldProps {
  readonly value: readonly Scope[];
  readonly error: string | undefined;
  readonly onScopes: (value: readonly Scope[]) => void;
}

const ScopesField = ({ value, error, onScopes }: ScopesFieldProps) => {
  const { dialog } = texts.value.keys;
  return (
    <fieldset aria-describedby={error === undefined ? undefined : "keys-scopes-error"}>
      <legend>{dialog.scopes}</legend>
      {scopes.map((scope) => (
        <CheckField
          key={scope}
          label={dialog.scope[scope]}
          hint={dialog.scopeHint[scope]}
          checked={value.includes(scope)}
          onCheck={(on) => onScopes(scopes.filter((each) => (each === scope ? on : value.includes(each))))}
        />
      ))}
      {error !== undefined && (
        <small id="keys-scopes-error" class="error" role="alert">
          {error}
        </small>
      )}
    </fieldset>
  );
};

interface ExpiryFieldProps {
  readonly wanted: Pick<Wanted, "day" | "expiry">;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<Pick<Wanted, "day" | "expiry">>) => void;
}

const ExpiryField = ({ wanted, error, onChange }: ExpiryFieldProps) => {
  const { dialog } = texts.value.keys;
  const days = EXPIRY_DAYS.map((count) => [String(count), dialog.inDays(count)] as const);
  return (
    <>
      <SelectField
        label={dialog.expiry}
        hint={dialog.expiryHint}
        choices={[["never", dialog.never], ...days, ["date", dialog.onDate]]}
        value={wanted.expiry}
        onChoice={(expiry) => onChange({ expiry })}
      />
      {wanted.expiry === "date" && (
        <TextField
          label={dialog.date}
          type="date"
          value={wanted.day}
          error={error}
          onText={(day) => onChange({ day })}
        />
      )}
    </>
  );
};
