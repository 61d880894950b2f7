/** Where somebody goes after signing in or picking a plan. An address is a client's word: only paths of these pages are followed. */

const OWN = "https://pages.invalid";
const SIGN_IN = "/sign-in";

/** Characters of an address that is followed; the pages' own have some ten. */
const NEXT_CHARACTERS_MAX = 500;

/**
 * @param text `next` of the address
 * @returns the path of a page with its query; undefined where it leads anywhere else, or back to where one signs in
 */
export const ownPath = (text: string | null): string | undefined => {
  if (text === null || text.length > NEXT_CHARACTERS_MAX || !text.startsWith("/") || !URL.canParse(text, OWN)) {
    return;
  }
  // Browsers read `//host`, `/\host` and `/<tab>/host` as another host, and `/.//host` becomes `//host`.
  const { origin, pathname, search } = new URL(text, OWN);
  const isPage = origin === OWN && !pathname.startsWith("//") && pathname !== SIGN_IN;
  return isPage ? `${pathname}${search}` : undefined;
};

/** @returns where to go after signing in: who is new picks a plan first */
export const afterSignIn = (hasPicked: boolean, next: string | undefined): string => {
  if (hasPicked) {
    return next ?? "/";
  }
  return next === undefined || next.startsWith("/plans") ? "/plans" : `/plans?next=${encodeURIComponent(next)}`;
};

/** @returns where to go after the first plan was picked: on to the first key, or to where one came from */
export const afterFirstPlan = (next: string | undefined): string =>
  next === undefined || next === "/keys" || next.startsWith("/plans") ? "/keys?first=1" : next;
