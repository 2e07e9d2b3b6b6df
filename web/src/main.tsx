import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@/design/base.css";
import { followChanges } from "@/api/changes";
import { followOtherTabs } from "@/session/store";
import { App } from "@/shell/App";

followOtherTabs();
followChanges();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
