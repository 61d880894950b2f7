import { defineConfig } from "vite";

/**
 * What several pages use comes with the first request for code: 8 kB of it as a file each would be a second round of a
 * dozen requests, of which a browser makes six at once. Pages, the other language and what few of them need stay apart.
 */
const BASE = /\/dashboard\/(?!pages\/|text\/de)|\/client\/src\/|\/node_modules\/@?preact\//;

/** Builds the pages into dist/dashboard: hashed files, no inline script or style, nothing from another host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  publicDir: "public",
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    target: "es2024",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", test: BASE }] } } },
  },
  // Vite 8 compiles with Oxc; the pragma of Preact comes from tsconfig.json.
  logLevel: "warn",
});
