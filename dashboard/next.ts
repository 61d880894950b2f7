/** Where to go after signing in or choosing a plan. URLs are untrusted input: only paths of these pages are followed. */

const OWN = "https://pages.invalid";
const SIGN_IN = "/sign-in";

/** Maximum characters of a path that is followed; the pages' own paths have about ten. */
const NEXT_CHARACTERS_MAX = 500;

/**
 * @param text `next` of the URL's query
 * @returns the path of a page with its query; undefined for any other URL and for the sign-in page
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

/** @returns where to go after signing in: new accounts choose a plan first */
export const afterSignIn = (hasPlan: boolean, next: string | undefined): string => {
  if (hasPlan) {
    return next ?? "/";
  }
  return next === undefined || next.startsWith("/plans") ? "/plans" : `/plans?next=${encodeURIComponent(next)}`;
};

/** @returns where to go after the first plan was chosen: to the first key, or back to the original page */
export const afterFirstPlan = (next: string | undefined): string =>
  next === undefined || next === "/keys" || next.startsWith("/plans") ? "/keys?first=1" : next;
