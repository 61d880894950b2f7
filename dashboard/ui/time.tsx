import { dateTime, relative } from "../format.ts";

/** A time as seen from now; the exact one is its title. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {relative(at)}
  </time>
);
