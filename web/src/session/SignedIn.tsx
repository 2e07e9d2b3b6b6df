import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { ButtonLink } from "@/design/Button";
import { Card } from "@/design/Card";
import { Empty } from "@/design/States";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";

type SignedInProps = { why: string; children: ReactNode; otherwise?: (gate: ReactNode) => ReactNode };

/** Content that needs an account. Without one it shows a link to sign up that returns here; `otherwise` wraps that. */
export function SignedIn({ why, children, otherwise }: SignedInProps) {
  const { accessToken } = useSession();
  const here = useLocation()[0] + location.search;
  if (accessToken) return children;
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      <ButtonLink href={entrance("/register", here)} look="primary">
        Sign up for free
      </ButtonLink>
      <ButtonLink href={entrance("/login", here)}>Log in</ButtonLink>
    </div>
  );
  const gate = (
    <Card>
      <Empty action={actions} title="This needs a free account.">
        {why}
      </Empty>
    </Card>
  );
  return otherwise ? otherwise(gate) : gate;
}
