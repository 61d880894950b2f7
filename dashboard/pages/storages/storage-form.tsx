import { useRef, useState } from "preact/hooks";
import { ApiProblem, api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import {
  FIELD_OF_POINTER,
  missingFields,
  type StorageField,
  type StorageValues,
  storageRequest,
  storageValues,
} from "./storage-fields.ts";

export interface StorageFormProps {
  /** The storage to replace. @default a new one */
  readonly of?: Schemas["Storage"];
  readonly onClose: () => void;
  readonly onSaved: (name: string) => unknown;
}

/** Asks for a storage and its credentials, and saves them. */
export const StorageForm = ({ of: storage, onClose, onSaved }: StorageFormProps) => {
  const { common, storages } = texts.value;
  const [values, setValues] = useState(() => storageValues(storage));
  const [missing, setMissing] = useState<readonly StorageField[]>([]);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const name = values.name.trim();
  const saving = useAction(async () => {
    await send(name, storageRequest(values));
    toast(storages.form.saved(name));
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const empty = missingFields(values);
    setMissing(empty);
    if (empty.length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    setBusy(true);
    if (await saving.run()) {
      onSaved(name);
    }
    setBusy(false);
  };
  const rejected = rejectedFields(saving.problem);
  const errorOf = (field: StorageField): string | undefined =>
    missing.includes(field) && values[field].trim() === "" ? storages.form.missing : rejected.get(field);
  return (
    <Dialog
      title={storage ? storages.form.editTitle(storage.name) : storages.form.addTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="storages-form" busy={busy}>
            {storages.form.save}
          </Button>
        </>
      }
    >
      <form ref={form} id="storages-form" class="storages-form" noValidate onSubmit={submit}>
        {storage && <p class="muted">{storages.form.editLead}</p>}
        <Fields
          values={values}
          isNew={storage === undefined}
          errorOf={errorOf}
          onChange={(part) => setValues({ ...values, ...part })}
        />
        {saving.problem !== undefined && rejected.size === 0 && <ProblemNotice error={saving.problem} />}
      </form>
    </Dialog>
  );
};

const send = (name: string, body: Schemas["StorageRequest"]): Promise<unknown> =>
  api.put(`storages/${encodeURIComponent(name)}`, body);

/** @returns the service's errors by the fields of the form */
const rejectedFields = (problem: unknown): ReadonlyMap<StorageField, string> =>
  new Map(
    (problem instanceof ApiProblem ? problem.errors : []).flatMap(({ pointer, detail }) => {
      const field = FIELD_OF_POINTER[pointer];
      return field === undefined ? [] : [[field, detail] as const];
    }),
  );

interface FieldsProps {
  readonly values: StorageValues;
  readonly isNew: boolean;
  readonly errorOf: (field: StorageField) => string | undefined;
  readonly onChange: (part: Partial<StorageValues>) => void;
}

const TECHNICAL = { autoComplete: "off", spellcheck: false } as const;

const Fields = ({ values, isNew, errorOf, onChange }: FieldsProps) => {
  const { storages } = texts.value;
  const { form } = storages;
  const isS3 = values.type === "s3";
  const text = (field: StorageField) => ({
    ...TECHNICAL,
    value: values[field],
    error: errorOf(field),
    onText: (value: string) => onChange({ [field]: value }),
  });
  return (
    <>
      <SelectField
        label={storages.type}
        choices={[
          ["s3", storages.types.s3],
          ["webdav", storages.types.webdav],
        ]}
        value={values.type}
        onChoice={(type) => onChange({ type })}
      />
      {isNew && <TextField label={storages.name} hint={form.nameHint} maxLength={64} required {...text("name")} />}
      {isS3 && <TextField label={form.bucket} required {...text("bucket")} />}
      {isS3 && <TextField label={form.region} hint={form.regionHint} {...text("region")} />}
      <TextField
        label={isS3 ? form.endpoint : form.folder}
        hint={isS3 ? form.endpointHint : form.folderHint}
        type="url"
        inputMode="url"
        required={!isS3}
        {...text("endpoint")}
      />
      {isS3 && (
        <CheckField
          label={form.virtualHost}
          hint={form.virtualHostHint}
          checked={values.virtual_host}
          onCheck={(virtual_host) => onChange({ virtual_host })}
        />
      )}
      <TextField label={isS3 ? form.accessKey : form.username} required={isS3} {...text("id")} />
      <TextField
        label={isS3 ? form.secretKey : form.password}
        hint={form.secretHint}
        type="password"
        required={isS3}
        {...text("secret")}
        autoComplete="new-password"
      />
    </>
  );
};
