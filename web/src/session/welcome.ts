import type { Schemas } from "@/api/client";
import { toast } from "@/design/Toast";
import { enter } from "@/session/store";

/** Begins the session of an answer to register or login, and says if the visitor's work could not be taken along. */
export function welcome({ access_token, notice }: Schemas["TokenView"]): void {
  enter(access_token, { keepVisitor: Boolean(notice) });
  if (notice) toast(notice);
}
