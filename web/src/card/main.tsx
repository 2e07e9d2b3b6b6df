import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@/design/base.css";
import { queryClient } from "@/api/client";
import { Host } from "@/card/host";
import { ResultCard } from "@/card/ResultCard";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ResultCard host={new Host(parent)} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
