/** Builds the result card of the MCP App: one HTML file that asks no address for anything. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { metricDefinitions } from "./vite.config.ts";

const PAGE = "result-card.html";
/** A host shows the page in a frame without an origin, where a font could not be loaded. */
const FONTS = /@font-face\s*{[^}]*}/g;

/** Puts the script and the style sheet into the page, after everything else has been done to them. */
function inOneFile(): Plugin {
  return {
    name: "in-one-file",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const page = bundle[PAGE];
        if (page?.type !== "asset") throw new Error(`${PAGE} was not built`);
        for (const [name, part] of Object.entries(bundle)) {
          if (part === page) continue;
          const html = String(page.source);
          if (part.type === "chunk") page.source = withScript(html, part.code);
          else if (name.endsWith(".css")) page.source = withStyles(html, String(part.source));
          delete bundle[name];
        }
      },
    },
  };
}

function withScript(html: string, code: string): string {
  const script = `<script type="module">${code.replaceAll("</script", "<\\/script")}</script>`;
  return html.replace(/<script type="module"[^>]*><\/script>/, "").replace("</body>", () => `${script}</body>`);
}

function withStyles(html: string, styles: string): string {
  return html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles.replaceAll(FONTS, "")}</style>`);
}

export default defineConfig({
  plugins: [react(), tailwindcss(), metricDefinitions(), inOneFile()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  publicDir: false,
  build: {
    outDir: "../src/strategybot/site",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { input: PAGE, output: { codeSplitting: false } },
  },
});
