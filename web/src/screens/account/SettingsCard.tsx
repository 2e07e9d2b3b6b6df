import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries } from "@/api/client";
import { type Problem, problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Choice, Field, Input, Select } from "@/design/Field";
import { ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { toast } from "@/design/Toast";
import { zones } from "@/format/zones";
import { CHAINS } from "@/market/chains";
import { showTheme, type Theme } from "@/session/theme";
import { BROWSER_ZONE, type Settings } from "@/session/user";

const INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d"] as const;
const THEMES = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

export function SettingsCard() {
  const { data, error, refetch } = queries.useQuery("get", "/api/auth/settings");
  return (
    <Card title="Settings">
      {data ? (
        <SettingsForm saved={data as Settings} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Loading>
          <Skeleton className="h-120" />
        </Loading>
      )}
    </Card>
  );
}

function SettingsForm({ saved }: { saved: Settings }) {
  const cache = useQueryClient();
  const [draft, setDraft] = useState(saved);
  const save = queries.useMutation("patch", "/api/auth/settings", {
    onSuccess: (settings) => {
      cache.setQueryData(queries.queryOptions("get", "/api/auth/settings", {}).queryKey, settings);
      showTheme(draft.theme);
      toast("Your settings are saved.");
    },
  });
  const problem = save.error ? problemOf(save.error) : null;
  const change = (part: Partial<Settings>) => setDraft({ ...draft, ...part });

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate({ body: draft });
  }

  return (
    <form className="stack gap-5" noValidate onSubmit={submit}>
      <Group name="What new runs begin with">
        <Field error={problem?.field("default_chain")} label="Chain">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => change({ default_chain: event.target.value })}
              value={draft.default_chain}
            >
              {chains(draft.default_chain).map(([chain, name]) => (
                <option key={chain} value={chain}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field error={problem?.field("default_kline_interval")} label="Candles of a backtest, where they fit">
          {(control) => (
            <Select
              {...control}
              onChange={(event) =>
                change({ default_kline_interval: event.target.value as Settings["default_kline_interval"] })
              }
              value={draft.default_kline_interval}
            >
              {INTERVALS.map((interval) => (
                <option key={interval}>{interval}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Simulation checks every, in seconds">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => change({ default_check_interval: Number(event.target.value) as 10 | 30 | 60 })}
              value={draft.default_check_interval}
            >
              {[10, 30, 60].map((seconds) => (
                <option key={seconds}>{seconds}</option>
              ))}
            </Select>
          )}
        </Field>
        <NumberField
          change={change}
          draft={draft}
          label="Starting cash, in dollars"
          name="initial_cash"
          problem={problem}
          step="100"
        />
        <NumberField
          change={change}
          draft={draft}
          label="Fee of a trade, in percent"
          name="fee_percent"
          problem={problem}
          step="0.01"
        />
        <NumberField
          change={change}
          draft={draft}
          label="Slippage, in percent"
          name="slippage_percent"
          problem={problem}
          step="0.01"
        />
      </Group>
      <Group name="How things look">
        <div className="stack gap-1.5 sm:col-span-2">
          <span className="text-small font-medium text-ink-soft">Theme</span>
          <Choice<Theme> label="Theme" onChange={(theme) => change({ theme })} options={THEMES} value={draft.theme} />
        </div>
        <Field error={problem?.field("timezone")} hint={`This browser says ${BROWSER_ZONE}.`} label="Time zone">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => change({ timezone: event.target.value as Settings["timezone"] })}
              value={draft.timezone}
            >
              {zones(draft.timezone).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Field>
      </Group>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <Button busy={save.isPending} className="self-start" look="primary" type="submit">
        Save settings
      </Button>
    </form>
  );
}

type NumericSetting = "initial_cash" | "fee_percent" | "slippage_percent";
type NumberFieldProps = {
  label: string;
  name: NumericSetting;
  step: string;
  draft: Settings;
  problem: Problem | null;
  change: (part: Partial<Settings>) => void;
};

function NumberField({ label, name, step, draft, problem, change }: NumberFieldProps) {
  const value = draft[name];
  return (
    <Field error={problem?.field(name)} label={label}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          min="0"
          onChange={(event) => change({ [name]: event.target.valueAsNumber })}
          step={step}
          type="number"
          value={Number.isNaN(value) ? "" : value}
        />
      )}
    </Field>
  );
}

function Group({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-medium">{name}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

/** Those we have names for, and the chosen one in any case. */
function chains(chosen: string): [string, string][] {
  return Object.entries(CHAINS[chosen] ? CHAINS : { ...CHAINS, [chosen]: chosen });
}
