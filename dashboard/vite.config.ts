import { defineConfig } from "vite";

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
  },
  // Vite 8 compiles with Oxc; the pragma of Preact comes from tsconfig.json.
  logLevel: "warn",
});
