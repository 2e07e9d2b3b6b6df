/** Chooses the token of a run: by search, or by its address for visitors of a real market. */
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { type Instrument, instrumentOf, shortAddress, useTokenName } from "@/backtests/instrument";
import { Button } from "@/design/Button";
import { type Control, Field, Input } from "@/design/Field";
import { roundMoney } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { useEnter } from "@/kit/useEnter";
import { chainName } from "@/market/chains";
import { learnNames } from "@/market/names";
import { useSeesTokens, useTypedTokens } from "@/market/tokens";
import { useSettings } from "@/session/user";

type Token = Schemas["Token"];

const MOST_FOUND = 12;
type TokenFieldProps = {
  value: Instrument | null;
  onChange: (instrument: Instrument | null) => void;
  error?: string;
};

export function TokenField({ value, onChange, error }: TokenFieldProps) {
  const { sees, error: unknown } = useSeesTokens();
  const [searching, setSearching] = useState(false);
  const choose = (instrument: Instrument | null) => {
    setSearching(false);
    onChange(instrument);
  };
  if (value && !searching) return <Chosen instrument={value} onSearch={() => setSearching(true)} />;
  return (
    <Field error={error} label="Token">
      {(control) =>
        sees === undefined && !unknown ? (
          <Input {...control} disabled />
        ) : sees ? (
          <Search autoFocus={searching} control={control} onChoose={choose} onLeave={() => setSearching(false)} />
        ) : (
          <Address control={control} onChoose={choose} />
        )
      }
    </Field>
  );
}

function Chosen({ instrument, onSearch }: { instrument: Instrument; onSearch: () => void }) {
  const name = useTokenName(instrument);
  return (
    <div className="stack gap-1.5">
      <span className="text-small font-medium text-ink-soft">Token</span>
      <div className="flex h-9 min-w-0 items-center justify-between gap-2 rounded-control border border-line bg-sunken pr-1 pl-3">
        <span className="truncate" title={instrument.address}>
          <strong className="font-medium">{name}</strong>{" "}
          <span className="text-ink-faint">on {chainName(instrument.chain)}</span>
        </span>
        <Button data-token-change look="ghost" onClick={onSearch} size="small">
          Change
        </Button>
      </div>
    </div>
  );
}

function Address({ control, onChoose }: { control: Control; onChoose: (instrument: Instrument) => void }) {
  const { default_chain } = useSettings();
  const [typed, setTyped] = useState("");
  const take = () => typed.trim() && onChoose(instrumentOf(typed.trim(), null, default_chain));
  return (
    <Input
      {...control}
      onBlur={take}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => event.key === "Enter" && take()}
      placeholder="Its address, or address-chain"
      value={typed}
    />
  );
}

type SearchProps = {
  control: Control;
  autoFocus: boolean;
  onChoose: (instrument: Instrument) => void;
  onLeave: () => void;
};

function Search({ control, autoFocus, onChoose, onLeave }: SearchProps) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const [place, setPlace] = useState(0);
  const [open, setOpen] = useState(false);
  const { tokens, words, isSearching } = useFound(typed.trim());
  const chosen = tokens[Math.min(place, tokens.length - 1)];
  const { enter, forget } = useEnter(chosen, isSearching && place === 0, onChoose);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      setPlace(Math.max(0, Math.min(tokens.length - 1, place + step)));
    } else if (event.key === "Enter" && (chosen || isSearching)) {
      event.preventDefault();
      enter();
    } else if (event.key === "Escape") {
      onLeave();
    }
  }

  return (
    <div className="relative">
      <Input
        {...control}
        aria-activedescendant={open && chosen ? `${list}-${chosen.token_id}` : undefined}
        aria-autocomplete="list"
        aria-controls={list}
        aria-expanded={open}
        autoComplete="off"
        autoFocus={autoFocus}
        onBlur={() => {
          setOpen(false);
          onLeave();
        }}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
          setOpen(true);
          forget();
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
        placeholder="Symbol, name or address"
        role="combobox"
        value={typed}
      />
      {open && (
        <div
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 min-w-60 overflow-y-auto rounded-control border border-line bg-raised py-1 shadow-raised"
          id={list}
          role="listbox"
          aria-label="Tokens found"
        >
          {words && <p className="px-3 py-2 text-small text-ink-soft">{words}</p>}
          {tokens.map((token) => (
            <Option
              chosen={token === chosen}
              id={`${list}-${token.token_id}`}
              key={token.token_id}
              onChoose={() => onChoose(token)}
              token={token}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** An empty query returns the trending tokens. */
function useFound(query: string): { tokens: Token[]; words: string | null; isSearching: boolean } {
  const { data, error, isSearching } = useTypedTokens(query, MOST_FOUND);
  useEffect(() => learnNames(data?.tokens ?? []), [data]);
  const tokens = error ? [] : (data?.tokens ?? []);
  const words = error ? problemOf(error).detail : isSearching ? "Searching…" : `Nothing is called “${query}”.`;
  return { tokens, words: tokens.length === 0 ? words : null, isSearching };
}

type OptionProps = { token: Token; id: string; chosen: boolean; onChoose: () => void };

function Option({ token, id, chosen, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field above
    // biome-ignore lint/a11y/useFocusableInteractive: likewise
    <div
      aria-selected={chosen}
      className={classes(
        "flex cursor-pointer items-baseline gap-2 px-3 py-1.5",
        chosen ? "bg-hover" : "hover:bg-hover",
      )}
      id={id}
      onClick={onChoose}
      // Keeps the focus in the field: without it, the list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
      role="option"
    >
      <strong className="font-medium">{token.symbol}</strong>
      <span className="min-w-0 flex-1 truncate text-small text-ink-soft" title={token.address}>
        {token.name} · {token.chain} · {shortAddress(token.address)}
      </span>
      <span className="figures text-small text-ink-faint">{roundMoney(token.liquidity_usd)}</span>
    </div>
  );
}
