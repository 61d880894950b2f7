import { Link } from "wouter-preact";
import { pages } from "../pages.ts";
import { texts } from "../text.ts";
import { Preferences } from "./preferences.tsx";

const LICENSE = "https://www.apache.org/licenses/LICENSE-2.0";

/** Secondary links: status, the texts of the operator, and license; the settings for language and appearance. */
export const Footer = () => {
  const { shell } = texts.value;
  return (
    <footer class="bottom">
      <nav aria-label={shell.footer}>
        <ul>
          {pages
            .filter(({ menu, isShown }) => menu === "footer" && (isShown?.() ?? true))
            .map(({ path, name }) => (
              <li key={path}>
                <Link href={path}>{shell.pages[name]}</Link>
              </li>
            ))}
          <li>
            <a href={LICENSE} rel="noreferrer">
              {shell.license}
            </a>
          </li>
        </ul>
      </nav>
      <Preferences />
    </footer>
  );
};
