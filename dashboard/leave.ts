/** Opens the payment provider's page. @throws TypeError if the URL is not a web page */
export const leaveTo = (url: string): void => {
  const { protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError("The service sent a URL that is not a web page.");
  }
  location.assign(url);
};
