import { QueryClientProvider } from "@tanstack/react-query";
import { render as renderBare } from "@testing-library/react";
import type { ReactNode } from "react";
import { queryClient } from "@/api/client";

/** Renders with what every component may rely on. */
export function render(children: ReactNode) {
  return renderBare(children, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
}
