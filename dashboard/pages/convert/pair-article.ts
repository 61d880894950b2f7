/** What the HTML of a conversion's page says. It is kept while the user visits other pages. */
interface PairArticle {
  readonly element: HTMLElement;
  /** The ID of the target format. */
  readonly target: string;
  readonly heading: string;
  readonly lead: string;
}

const readArticle = (): PairArticle | undefined => {
  const element = document.getElementById("pair");
  if (element === null) {
    return undefined;
  }
  for (const place of element.querySelectorAll("[data-origin]")) {
    place.textContent = location.origin;
  }
  element.hidden = false;
  const { target = "", heading = "", lead = "" } = element.dataset;
  return { element, target, heading, lead };
};

/** Undefined if the server has no page for the path. */
export const pairArticle = readArticle();
