import { useState } from "preact/hooks";
import { texts } from "../../text.ts";
import { Code } from "../../ui/copy.tsx";
import { SelectField } from "../../ui/field.tsx";
import { type CodeLanguage, codeLanguages, verifyCode } from "./verify-code.ts";
import "./webhooks.css";

/** Programs that verify the signature of a webhook message. */
export const Verify = ({ isOpen = false }: { readonly isOpen?: boolean }) => {
  const { secret, code } = texts.value.webhooks;
  const [language, setLanguage] = useState<CodeLanguage>("TypeScript");
  return (
    <details class="webhooks-verify" open={isOpen}>
      <summary>{secret.verify}</summary>
      <p class="muted">{secret.verifyLead}</p>
      <div class="webhooks-language">
        <SelectField
          label={secret.languages}
          value={language}
          choices={codeLanguages.map((each) => [each, each] as const)}
          onChoice={(next) => setLanguage(codeLanguages.find((each) => each === next) ?? "TypeScript")}
        />
      </div>
      <Code text={verifyCode[language](code)} label={secret.codeLabel(language)} />
    </details>
  );
};
