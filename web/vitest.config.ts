import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

export default mergeConfig(
  vite,
  defineConfig({
    // One browser in the making is slow, and each file cleans up after itself: they share one.
    test: {
      pool: "threads",
      isolate: false,
      maxWorkers: 1,
      environment: "happy-dom",
      setupFiles: "src/testing/setup.ts",
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
