import { useState } from "preact/hooks";
import { AnyformError } from "../../../../client/index.ts";
import { texts } from "../../../text.ts";
import { Field } from "../../../ui/field.tsx";
import { problemText } from "../../../ui/notice.tsx";
import { client, ensureSession } from "../store.ts";

export interface UploadInputProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  /** The ID of the upload; empty without one. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Uploads a file when it is chosen. The value is the ID of the upload. */
export const UploadInput = ({ label, hint, error, text, onText }: UploadInputProps) => {
  const { options } = texts.value;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const upload = async (file: File): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await ensureSession();
      onText((await client.upload(file)).upload_id);
    } catch (reason) {
      onText("");
      setProblem(reason instanceof AnyformError ? (problemText(reason.code) ?? reason.detail) : String(reason));
    } finally {
      setBusy(false);
    }
  };
  const state = isBusy ? options.uploading : text === "" ? hint : options.uploaded;
  return (
    <Field label={label} hint={state} error={problem ?? error}>
      {(attributes) => (
        <input
          type="file"
          disabled={isBusy}
          {...attributes}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file === undefined) {
              onText("");
            } else {
              void upload(file);
            }
          }}
        />
      )}
    </Field>
  );
};
