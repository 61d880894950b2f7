let wentBack = false;

/** The browser restores the scroll position itself on back navigation. */
export const watchHistory = (): void => addEventListener("popstate", () => (wentBack = true));

/**
 * Moves the focus to the heading of a page that was just opened, so that screen readers read it and Tab continues from
 * there. A page that has already moved the focus to one of its elements keeps it.
 */
export const focusHeading = (): void => {
  const content = document.getElementById("content");
  if (content === null || (content !== document.activeElement && content.contains(document.activeElement))) {
    return;
  }
  const heading = content.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? content).focus({ preventScroll: true });
  if (!wentBack) {
    scrollTo({ top: 0 });
  }
  wentBack = false;
};
