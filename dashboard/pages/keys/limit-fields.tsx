import { ApiProblem } from "../../api.ts";
import { texts } from "../../text.ts";
import { Field, TextField } from "../../ui/field.tsx";

/** The limits of a key, as they are entered. */
export interface LimitTexts {
  readonly monthlyLimit: string;
  /** One per line. */
  readonly origins: string;
}

export type LimitErrors = Partial<Record<keyof LimitTexts, string>>;

export const noLimits: LimitTexts = { monthlyLimit: "", origins: "" };

/** @returns the limits as the service accepts them; null for none */
export const limitsOf = ({ monthlyLimit, origins }: LimitTexts) => {
  const listed = originsIn(origins);
  return {
    monthly_limit: monthlyLimit.trim() === "" ? null : Number(monthlyLimit),
    allowed_origins: listed.length === 0 ? null : listed,
  };
};

/** A URL stands for its origin. */
const originsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((each) => (isWeb(each) ? new URL(each).origin : each)),
  ),
];

const isWeb = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);

export const limitErrors = (limits: LimitTexts): LimitErrors => {
  const { limits: words } = texts.value.keys;
  const { monthly_limit, allowed_origins } = limitsOf(limits);
  const isNumber = monthly_limit === null || (Number.isSafeInteger(monthly_limit) && monthly_limit >= 1);
  const wrong = allowed_origins?.find((each) => !isWeb(each));
  return {
    ...(!isNumber && { monthlyLimit: words.monthlyWrong }),
    ...(wrong !== undefined && { origins: words.originsWrong(wrong) }),
  };
};

export interface LimitFieldsProps {
  readonly value: LimitTexts;
  readonly errors: LimitErrors;
  /** The error of the service, whose fields are shown there. */
  readonly problem: unknown;
  readonly onChange: (part: Partial<LimitTexts>) => void;
}

export const LimitFields = ({ value, errors, problem, onChange }: LimitFieldsProps) => {
  const { limits: words } = texts.value.keys;
  return (
    <>
      <TextField
        label={words.monthly}
        hint={words.monthlyHint}
        error={errors.monthlyLimit ?? problemAt(problem, "/monthly_limit")}
        inputMode="numeric"
        autoComplete="off"
        value={value.monthlyLimit}
        onText={(monthlyLimit) => onChange({ monthlyLimit })}
      />
      <Field
        label={words.origins}
        hint={words.originsHint}
        error={errors.origins ?? problemAt(problem, "/allowed_origins")}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={2}
            spellcheck={false}
            autoComplete="off"
            value={value.origins}
            onInput={({ currentTarget }) => onChange({ origins: currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
};

const problemAt = (problem: unknown, start: string): string | undefined =>
  problem instanceof ApiProblem ? problem.errors.find(({ pointer }) => pointer.startsWith(start))?.detail : undefined;
