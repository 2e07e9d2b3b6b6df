/** The command palette: bots, runs of the open bot, tokens, screens and the theme. */
import { type KeyboardEvent, useId, useState } from "react";
import { useLocation, useRoute } from "wouter";
import { queries } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Dialog } from "@/design/Dialog";
import { Input } from "@/design/Field";
import { percent } from "@/format/numbers";
import { day } from "@/format/times";
import { classes } from "@/kit/classes";
import { useEnter } from "@/kit/useEnter";
import { useTypedTokens } from "@/market/tokens";
import { matching, type PaletteChoice } from "@/palette/choices";
import { useSession } from "@/session/store";
import { showTheme, useIsDark } from "@/session/theme";
import { useSettings } from "@/session/user";
import { offered } from "@/shell/routes";

const MOST = 8;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export default function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const [place, setPlace] = useState(0);
  const { choices, isSearching, words } = useChoices(typed.trim(), onShortcuts);
  const chosen = choices[Math.min(place, choices.length - 1)];
  const { enter, forget } = useEnter(chosen, isSearching && place === 0, take);

  function take(choice: PaletteChoice) {
    onClose();
    choice.go();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step && choices.length > 0) {
      event.preventDefault();
      const next = (Math.min(place, choices.length - 1) + step + choices.length) % choices.length;
      setPlace(next);
      document.getElementById(`${list}-${choices[next]?.id}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      enter();
    }
  }

  return (
    <Dialog onClose={onClose} open title="Go to or do">
      <Input
        aria-activedescendant={chosen ? `${list}-${chosen.id}` : undefined}
        aria-autocomplete="list"
        aria-controls={list}
        aria-expanded
        aria-label="Search bots, runs, tokens and actions"
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
          forget();
        }}
        onKeyDown={onKeyDown}
        placeholder="Bots, runs, tokens, actions"
        role="combobox"
        value={typed}
      />
      <div aria-label="Found" className="max-h-[50dvh] overflow-y-auto" id={list} role="listbox">
        {choices.map((choice) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field above
          // biome-ignore lint/a11y/useFocusableInteractive: likewise
          <div
            aria-selected={choice === chosen}
            className={classes(
              "flex cursor-pointer items-baseline gap-2 rounded-control px-3 py-1.5",
              choice === chosen ? "bg-hover" : "hover:bg-hover",
            )}
            id={`${list}-${choice.id}`}
            key={choice.id}
            onClick={() => take(choice)}
            role="option"
          >
            <span className="min-w-0 flex-1 truncate">{choice.name}</span>
            <span className="truncate text-small text-ink-soft">{choice.detail}</span>
            <span className="w-16 text-right text-small text-ink-faint">{choice.group}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="text-small text-ink-soft">{words}</p>}
    </Dialog>
  );
}

/** The words are for an empty list. */
type Choices = { choices: PaletteChoice[]; isSearching: boolean; words: string };

/** Tokens come last, so the search for them matters only if nothing else has that name. */
function useChoices(typed: string, onShortcuts: () => void): Choices {
  const screens = useScreens(onShortcuts);
  const bots = useBots();
  const runs = useRuns();
  const tokens = useTokenChoices(typed);
  const named = matching([...bots, ...runs, ...screens], typed);
  return {
    choices: [...named.slice(0, typed ? 3 * MOST : 2 * MOST), ...(typed ? tokens.choices : [])],
    isSearching: named.length === 0 && tokens.isSearching,
    words: tokens.words,
  };
}

function useScreens(onShortcuts: () => void): PaletteChoice[] {
  const [, navigate] = useLocation();
  const { accessToken } = useSession();
  const isDark = useIsDark();
  return [
    ...offered(accessToken ? "users" : "guests").map(({ path, name }) => ({
      id: path,
      group: "Go to",
      name,
      go: () => navigate(path),
    })),
    {
      id: "theme",
      group: "Action",
      name: isDark ? "Light colours" : "Dark colours",
      go: () => showTheme(isDark ? "light" : "dark"),
    },
    { id: "shortcuts", group: "Action", name: "Keyboard shortcuts", detail: "?", go: onShortcuts },
  ];
}

function useBots(): PaletteChoice[] {
  const [, navigate] = useLocation();
  const { accessToken, anonymousToken } = useSession();
  const { data } = queries.useQuery("get", "/api/bots", {}, { enabled: Boolean(accessToken ?? anonymousToken) });
  return (data?.bots ?? []).map(({ id, name }) => ({
    id,
    group: "Bot",
    name,
    go: () => navigate(`/bots/${id}`),
  }));
}

/** Of the bot whose workbench is open. */
function useRuns(): PaletteChoice[] {
  const [, navigate] = useLocation();
  const [, params] = useRoute("/bots/:botId");
  const { timezone } = useSettings();
  const bot_id = params?.botId ?? "";
  const { data } = queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtests",
    { params: { path: { bot_id } } },
    { enabled: bot_id !== "" },
  );
  return (data?.backtests ?? []).map((run) => ({
    id: run.run_id,
    group: "Run",
    name:
      run.name ?? `${run.kline_interval} candles, ${day(run.start_time, timezone)} to ${day(run.end_time, timezone)}`,
    detail: run.metrics ? percent(run.metrics.total_return, { sign: true }) : run.status,
    go: () => navigate(`/bots/${bot_id}?run=${run.run_id}`),
  }));
}

/** Token pages require a login. */
function useTokenChoices(typed: string): Choices {
  const [, navigate] = useLocation();
  const { accessToken } = useSession();
  const { data, error, isSearching } = useTypedTokens(typed, MOST);
  const choices = (data?.tokens ?? []).map(({ token_id, symbol, name }) => ({
    id: token_id,
    group: "Token",
    name: symbol,
    detail: name,
    go: () => navigate(accessToken ? `/market/${token_id}` : `/market?q=${encodeURIComponent(symbol)}`),
  }));
  const words = isSearching ? "Searching…" : error ? problemOf(error).detail : `Nothing is called “${typed}”.`;
  return { choices, isSearching, words };
}
