import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@/design/base.css";
import { followOtherTabs } from "@/session/store";
import { App } from "@/shell/App";

followOtherTabs();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
