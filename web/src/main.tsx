import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@/design/base.css";
import { followOtherTabs } from "@/session/store";
import { App } from "@/shell/App";

followOtherTabs();
// If this cannot be loaded, other tabs are only updated later.
import("@/api/following").then(
  ({ followChanges }) => followChanges(),
  () => undefined,
);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
