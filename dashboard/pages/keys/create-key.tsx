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
import { LimitFields, type LimitTexts, limitErrors, limitsOf, noLimits } from "./limit-fields.tsx";

/** Maximum characters of a name that the service accepts. */
const NAME_CHARACTERS_MAX = 100;

interface KeySettings extends LimitTexts {
  readonly name: string;
  readonly kind: "live" | "test";
  readonly scopes: readonly Scope[];
  readonly expiry: string;
  readonly day: string;
}

/** Selects invalid fields: the first one gets the focus. */
const INVALID_FIELD = "[aria-invalid=true], fieldset[aria-describedby] input";

const FULL_ACCESS: KeySettings = { name: "", kind: "live", scopes, expiry: "never", day: "", ...noLimits };

/** @throws ApiProblem */
const createKey = async ({ name, kind, scopes, expiry, day, ...limits }: KeySettings = FULL_ACCESS): Promise<void> => {
  const expiresAt = expiryOf(expiry, day, Date.now());
  const expires = expiresAt && { expires_at: expiresAt };
  keepKey(await api.post<Schemas["NewKey"]>("keys", { name, kind, scopes, ...expires, ...limitsOf(limits) }));
  announce(texts.value.keys.fresh.announced);
};

/** Creates a key with all permissions that does not expire. @throws ApiProblem */
export const createFirstKey = (): Promise<void> => createKey({ ...FULL_ACCESS, name: texts.value.keys.first.name });

/** Asks for the settings of a key and creates it. */
export const CreateKeyDialog = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}) => {
  const { keys, common } = texts.value;
  const [settings, setSettings] = useState(FULL_ACCESS);
  const [errors, setErrors] = useState<Partial<Record<keyof KeySettings, string>>>({});
  const [busy, setBusy] = useState(false);
  const creation = useAction(createKey);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<KeySettings>): void => setSettings({ ...settings, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const found = errorsOf(settings);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(INVALID_FIELD)?.focus());
      return;
    }
    setBusy(true);
    if (await creation.run({ ...settings, name: settings.name.trim() })) {
      onCreated();
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
          <Button kind="primary" type="submit" form="keys-create" busy={busy}>
            {keys.dialog.create}
          </Button>
        </>
      }
    >
      <form ref={form} id="keys-create" class="keys-form" noValidate onSubmit={submit}>
        <TextField
          label={keys.dialog.name}
          hint={keys.dialog.nameHint}
          error={errors.name ?? nameProblem(creation.problem)}
          value={settings.name}
          maxLength={NAME_CHARACTERS_MAX}
          autoComplete="off"
          required
          onText={(name) => change({ name })}
        />
        <KindField value={settings.kind} onKind={(kind) => change({ kind })} />
        <ScopesField
          value={settings.scopes}
          error={errors.scopes}
          onScopes={(selected) => change({ scopes: selected })}
        />
        <ExpiryField settings={settings} error={errors.day} onChange={change} />
        <details class="keys-limits" open={errors.monthlyLimit !== undefined || errors.origins !== undefined}>
          <summary>{keys.limits.title}</summary>
          <div class="keys-form">
            <LimitFields value={settings} errors={errors} problem={creation.problem} onChange={change} />
          </div>
        </details>
        {creation.problem !== undefined && <ProblemNotice error={creation.problem} />}
      </form>
    </Dialog>
  );
};

const errorsOf = ({
  name,
  scopes: selected,
  expiry,
  day,
  ...limits
}: KeySettings): Partial<Record<keyof KeySettings, string>> => {
  const { dialog } = texts.value.keys;
  return {
    ...(name.trim() === "" && { name: dialog.nameMissing }),
    ...(selected.length === 0 && { scopes: dialog.scopesMissing }),
    ...(expiryOf(expiry, day, Date.now()) === undefined && { day: dialog.dateMissing }),
    ...limitErrors(limits),
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
  readonly settings: Pick<KeySettings, "day" | "expiry">;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<Pick<KeySettings, "day" | "expiry">>) => void;
}

const ExpiryField = ({ settings, error, onChange }: ExpiryFieldProps) => {
  const { dialog } = texts.value.keys;
  const days = EXPIRY_DAYS.map((count) => [String(count), dialog.inDays(count)] as const);
  return (
    <>
      <SelectField
        label={dialog.expiry}
        hint={dialog.expiryHint}
        choices={[["never", dialog.never], ...days, ["date", dialog.onDate]]}
        value={settings.expiry}
        onChoice={(expiry) => onChange({ expiry })}
      />
      {settings.expiry === "date" && (
        <TextField
          label={dialog.date}
          type="date"
          value={settings.day}
          error={error}
          onText={(day) => onChange({ day })}
        />
      )}
    </>
  );
};
