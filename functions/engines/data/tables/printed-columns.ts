import { type DayOrder, dayOrderOf, printedDate } from "./printed-dates.ts";
import { type DecimalMark, type PrintedNumber, type PrintedValue, printedNumber } from "./printed-numbers.ts";

/** Digits without grouping from which a number is an identifier: an article, an account, a card. */
const IDENTIFIER_DIGITS_MIN = 12;
const LEADING_ZERO = /^0\d/;

/**
 * Reads the values of a column that was printed. The other cells decide what is ambiguous: a column with `007` has
 * identifiers, `03/04/2024` is a date if another cell says which part is the day.
 *
 * @param mark the decimal mark of the document
 * @param usual the order of day and month in other dates of the document, if the column does not tell
 * @returns the value of each text; undefined: it stays a text
 */
export const printedColumn = (
  texts: readonly string[],
  mark: DecimalMark,
  usual?: DayOrder,
): (PrintedValue | undefined)[] => {
  const numbers = texts.map((text) => printedNumber(text, mark));
  const order = dayOrderOf(texts) ?? usual;
  const spaced = areGroupedBySpaces(numbers);
  const hasCodes = texts.some((text) => LEADING_ZERO.test(text.trim()));
  const hasNumbers = numbers.some((number) => number !== undefined && !number.reference);
  return texts.map((text, index) => {
    const number = numbers[index];
    if (number === undefined) {
      return printedDate(text, order);
    }
    const isCode = number.digits !== undefined && (hasCodes || number.digits >= IDENTIFIER_DIGITS_MIN);
    const isText = isCode || (number.reference && !hasNumbers) || (number.spaced && !spaced);
    return isText ? undefined : { value: number.value, format: number.format };
  });
};

/** Digits of the largest numbers that need no grouping. */
const UNGROUPED_DIGITS_MAX = 3;

/** @returns whether spaces group the digits: all other numbers of the column are too small for it, and there are some */
const areGroupedBySpaces = (numbers: readonly (PrintedNumber | undefined)[]): boolean => {
  const others = numbers.filter((number) => number !== undefined && !number.spaced);
  return (
    others.length > 0 && others.every((number) => (number?.digits ?? UNGROUPED_DIGITS_MAX + 1) <= UNGROUPED_DIGITS_MAX)
  );
};
