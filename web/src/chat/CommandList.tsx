import type { Command } from "@/chat/commands";
import { classes } from "@/kit/classes";

type CommandListProps = {
  id: string;
  commands: Command[];
  current: Command | undefined;
  onChoose: (command: Command) => void;
};

/** The commands that may be meant, over the box in which one is typed. The keys are handled there. */
export function CommandList({ id, commands, current, onChoose }: CommandListProps) {
  if (commands.length === 0) return null;
  return (
    <div
      aria-label="Commands"
      className="@container absolute inset-x-0 bottom-full z-20 mb-1.5 max-h-64 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-raised"
      id={id}
      role="listbox"
      tabIndex={-1}
    >
      {commands.map((command) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and handles the keys
        <div
          aria-selected={command === current}
          className={classes(
            "flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded-control px-2.5 py-1 text-small @md:flex-nowrap @md:py-1.5",
            command === current ? "bg-accent-soft" : "hover:bg-hover",
          )}
          id={`${id}${command.name}`}
          key={command.name}
          onClick={() => onChoose(command)}
          onMouseDown={(event) => event.preventDefault()}
          ref={(element) => {
            if (command === current) element?.scrollIntoView?.({ block: "nearest" });
          }}
          role="option"
          tabIndex={-1}
        >
          <span className="font-medium">{command.name}</span>
          {command.arguments && <span className="font-mono text-tiny text-ink-faint">{command.arguments}</span>}
          <span className="w-full text-ink-soft @md:w-auto @md:flex-1 @md:text-right">{command.purpose}</span>
        </div>
      ))}
    </div>
  );
}
