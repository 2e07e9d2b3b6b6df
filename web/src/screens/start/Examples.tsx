import type { LentToken } from "@/chat/firstTest";
import { EXAMPLES, ideaFor } from "@/screens/start/ideas";

type ExamplesProps = { isDemo: boolean; onChoose: (idea: string, token: LentToken) => void };

export function Examples({ isDemo, onChoose }: ExamplesProps) {
  return (
    <section aria-labelledby="examples" className="stack gap-2.5">
      <h2 className="text-center text-small font-medium text-ink-soft" id="examples">
        Or try one of these
      </h2>
      <ul className="grid gap-2.5 sm:grid-cols-3">
        {EXAMPLES.map((example) => (
          <li className="stack" key={example.title}>
            <button
              className="stack flex-1 gap-1 rounded-card border border-line bg-surface/90 p-3.5 text-left backdrop-blur-sm transition-[border-color,translate] hover:-translate-y-0.5 hover:border-accent"
              onClick={() => onChoose(ideaFor(example, isDemo), example.token)}
              type="button"
            >
              <span className="font-medium">{example.title}</span>
              <span className="text-small text-ink-soft">{ideaFor(example, isDemo)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
