import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SHARED_PARTS =
  /[\\/]src[\\/]((design(?![\\/](Table|Tabs|Hint|Meter|Sparkline|Divider|ColumnChoice|Confirm|WhyNot))|format(?![\\/](glossary|Term))|market(?![\\/](tokens|risk))|kit(?![\\/]useKeptFocus))[\\/]|backtests[\\/](RunIdentity|instrument|gainTone)\.tsx?)/;
/** No first screen needs these. */
const SHARED_FIGURES = /[\\/]src[\\/]design[\\/](Hint|Meter|Sparkline)\.tsx/;
const DEFINITIONS = "virtual:metric-definitions";

/** What each metric of a backtest means and what a verdict tests, in the words of the API's own document: they are not written twice. */
export function metricDefinitions(): Plugin {
  return {
    name: "metric-definitions",
    resolveId: (id) => (id === DEFINITIONS ? `\0${DEFINITIONS}` : undefined),
    load(id) {
      if (id !== `\0${DEFINITIONS}`) return undefined;
      const { components } = JSON.parse(readFileSync(new URL("./openapi.json", import.meta.url), "utf8"));
      const members = Object.entries<{ description?: string }>(components.schemas.MetricsView.properties);
      const definitions = Object.fromEntries(members.map(([name, { description }]) => [name, description]));
      const method = components.schemas.VerdictView.properties.timing.description;
      const shared = components.schemas.SharedBacktest.properties.verdict.description.replace(/^.*?\. /, "");
      return `export default ${JSON.stringify(definitions)};export const METHOD = ${JSON.stringify(method)};export const METHOD_FOR_READERS = ${JSON.stringify(shared)}`;
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), metricDefinitions()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../src/strategybot/site",
    emptyOutDir: true,
    // The server's policy admits no data: fonts or scripts, and a browser that needs the polyfill is too old anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A file more is a question more before anything can be used: what every screen needs is one, what many share another.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "core", tags: ["$initial"], priority: 1 },
            { name: "parts", test: SHARED_PARTS, minShareCount: 2 },
            { name: "figures", test: SHARED_FIGURES, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/docs": "http://127.0.0.1:8000" } },
});
