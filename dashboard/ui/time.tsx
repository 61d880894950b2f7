import { dateTime, relative } from "../format.ts";

/** A time relative to now, with the exact time as its title. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {relative(at)}
  </time>
);
