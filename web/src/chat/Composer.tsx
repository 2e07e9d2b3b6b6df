import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { CommandList } from "@/chat/CommandList";
import { type Command, completed, isComplete, matching } from "@/chat/commands";
import { SendIcon, StopIcon } from "@/design/icons";
import { classes } from "@/kit/classes";

const LONGEST = 4000;

type ComposerProps = {
  text: string;
  onText: (text: string) => void;
  onSend: (text: string) => void;
  onStop?: () => void;
  isAnswering?: boolean;
  placeholder: string;
  box?: RefObject<HTMLTextAreaElement | null>;
  size?: "normal" | "large";
};

/** Where one writes. Enter sends, Shift+Enter breaks the line, `/` opens the commands. */
export function Composer({ text, onText, onSend, onStop, isAnswering = false, ...props }: ComposerProps) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setIsDismissed] = useState(false);
  const commands = isDismissed ? [] : matching(text);
  const current = commands[Math.min(chosen, commands.length - 1)];

  function write(next: string) {
    onText(next);
    setChosen(0);
    setIsDismissed(false);
  }

  function send(message: string) {
    const trimmed = message.trim();
    if (!trimmed || isAnswering) return;
    write("");
    onSend(trimmed);
  }

  function choose(command: Command, mayRun: boolean) {
    if (mayRun && isComplete(command)) send(command.name);
    else write(completed(command));
    props.box?.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing) return;
    if (current && event.key in STEPS) {
      event.preventDefault();
      setChosen((commands.indexOf(current) + (STEPS[event.key] ?? 0) + commands.length) % commands.length);
    } else if (current && event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      choose(current, false);
    } else if (current && event.key === "Escape") {
      event.preventDefault();
      setIsDismissed(true);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (current) choose(current, true);
      else send(text);
    }
  }

  const isLarge = props.size === "large";
  return (
    <form
      className={classes(
        "relative rounded-card border border-line-strong/70 bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent",
        isLarge && "shadow-raised",
      )}
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <CommandList commands={commands} current={current} id={id} onChoose={(command) => choose(command, true)} />
      <textarea
        aria-activedescendant={current && `${id}${current.name}`}
        aria-autocomplete="list"
        aria-controls={current && id}
        aria-label="Message"
        data-composer
        className={classes(
          "block field-sizing-content max-h-48 w-full resize-none bg-transparent pr-14 text-ink outline-none placeholder:text-ink-faint",
          isLarge ? "min-h-24 px-4 py-3.5 text-lead" : "min-h-11 px-3 py-2.5",
        )}
        maxLength={LONGEST}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={props.placeholder}
        ref={props.box}
        rows={isLarge ? 3 : 1}
        value={text}
      />
      <div className={classes("absolute right-2", isLarge ? "bottom-2.5" : "bottom-1.5")}>
        {isAnswering && onStop ? (
          <RoundButton label="Stop" onClick={onStop}>
            <StopIcon />
          </RoundButton>
        ) : (
          <RoundButton disabled={!text.trim() || isAnswering} label="Send" type="submit">
            <SendIcon />
          </RoundButton>
        )}
      </div>
    </form>
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

type RoundButtonProps = {
  label: string;
  disabled?: boolean;
  onClick?: () => void;
  type?: "button" | "submit";
  children: React.ReactNode;
};

function RoundButton({ label, type = "button", ...props }: RoundButtonProps) {
  return (
    <button
      {...props}
      aria-label={label}
      className="grid size-8 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-sunken disabled:text-ink-faint"
      type={type}
    />
  );
}
