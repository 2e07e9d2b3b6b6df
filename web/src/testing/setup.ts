import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { queryClient } from "@/api/client";
import { forgetVisitor, leave } from "@/session/store";

afterEach(() => {
  cleanup();
  localStorage.clear();
  leave();
  forgetVisitor();
  queryClient.clear();
  history.replaceState(null, "", "/");
});
