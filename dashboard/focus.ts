let cameBack = false;

/** The browser puts back where a page was scrolled to, when one goes back to it. */
export const watchHistory = (): void => addEventListener("popstate", () => (cameBack = true));

/**
 * Moves the focus to the heading of a page that was just opened, so that screen readers read it and Tab goes on from there;
 * a page that has put the focus somewhere in itself keeps it.
 */
export const focusHeading = (): void => {
  const content = document.getElementById("content");
  if (content === null || (content !== document.activeElement && content.contains(document.activeElement))) {
    return;
  }
  const heading = content.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? content).focus({ preventScroll: true });
  if (!cameBack) {
    scrollTo({ top: 0 });
  }
  cameBack = false;
};
