/** Leaves these pages for the payment service's. @throws TypeError for an address that is no web page */
export const leaveTo = (url: string): void => {
  const { protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError("The service named an address that is no web page.");
  }
  location.assign(url);
};
