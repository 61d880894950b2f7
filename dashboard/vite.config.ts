import { defineConfig } from "vite";
import { site } from "./build/site.ts";

/**
 * Code that several pages share is loaded with the first request. As separate files, its 8 kB would need a second round
 * of a dozen requests, and a browser makes six at once. Pages, the other language and rarely used code stay separate.
 */
const BASE = /\/dashboard\/(?!pages\/|text\/de)|\/client\/src\/|\/node_modules\/@?preact\//;

/** Builds the pages into dist/dashboard: hashed files, no inline script or style, nothing from another host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  publicDir: "public",
  plugins: [site()],
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
