import type { Schemas } from "@/api/client";
import { toast } from "@/design/Toast";
import { enter } from "@/session/store";

/** Starts the session after registration or login, and shows a message if the visitor's work could not be moved. */
export function welcome({ access_token, notice }: Schemas["TokenView"]): void {
  enter(access_token, { keepVisitor: Boolean(notice) });
  if (notice) toast(notice);
}
