import { useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { Row } from "../rows.ts";
import { startRows, waitsForPassword } from "../start.ts";

/** @returns whether the conversion failed because its file needs a password, and takes one */
export const needsPassword = (row: Row): boolean => {
  const { properties = {} } = (row.chosen.value?.conversion.value?.options ?? {}) as { readonly properties?: object };
  return waitsForPassword(row) && Object.hasOwn(properties, "password");
};

/** Takes the password of a file whose conversion failed without it, and converts the file again. */
export const PasswordForm = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const [password, setPassword] = useState("");
  const retry = async (): Promise<void> => {
    if (password !== "") {
      row.options.value = { ...row.options.value, password };
      await startRows([row]);
    }
  };
  return (
    <form
      class="convert-password"
      onSubmit={(event) => {
        event.preventDefault();
        void retry();
      }}
    >
      <TextField
        type="password"
        label={convert.passwordOf(row.name)}
        value={password}
        error={row.options.value.password === undefined ? undefined : convert.passwordWrong}
        onText={setPassword}
        // A file's password is not a password of this site.
        autocomplete="new-password"
        required
      />
      <Button type="submit">{convert.unlock}</Button>
    </form>
  );
};
