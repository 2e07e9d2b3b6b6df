import type { ReactNode } from "react";
import { Hint } from "@/design/Hint";
import { labelOf, meaningOf, type TermName } from "@/format/glossary";

/** A term of the glossary with its meaning on hover, focus or tap. `children` follow its meaning. */
export function Term({ name, children }: { name: TermName; children?: ReactNode }) {
  return (
    <Hint term={labelOf(name)}>
      {meaningOf(name)}
      {children}
    </Hint>
  );
}
