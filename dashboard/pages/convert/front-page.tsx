import { useEffect } from "preact/hooks";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { Landing } from "./landing.tsx";
import { ConvertPage } from "./page.tsx";

/** The front page: converts files, and shows people without an account what the service offers. */
export const FrontPage = () => {
  const { landing, shell } = texts.value;
  const title = isMember.value ? shell.pages.convert : landing.title;
  useEffect(() => {
    document.title = `${title} · Anyform`;
  }, [title]);
  return isMember.value ? (
    <ConvertPage />
  ) : (
    <>
      <ConvertPage title={landing.title} lead={landing.lead} />
      <Landing />
    </>
  );
};
