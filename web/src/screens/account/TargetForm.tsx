import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries, type Schemas } from "@/api/client";
import { type Problem, problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Field, Input, Select } from "@/design/Field";
import { ErrorState, ProblemNote } from "@/design/States";
import { EVENTS, type EventName, NAMES, TARGETS } from "@/screens/account/targets";

type Kind = Schemas["KindView"];
type KindField = Schemas["FieldView"];

const PREFIX = "fields.";

/** Asks for a name, the kind of the target with its fields, and the events that it is told. */
export function TargetForm({ onAdded }: { onAdded: (target: Schemas["NewTarget"]) => void }) {
  const { data, error, refetch } = queries.useQuery("get", "/api/notifications/kinds");
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : null;
  return <FormOfKinds kinds={data.kinds} onAdded={onAdded} />;
}

function FormOfKinds({ kinds, onAdded }: { kinds: Kind[]; onAdded: (target: Schemas["NewTarget"]) => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState(kinds[0]?.kind);
  const kind = kinds.find((each) => each.kind === name);
  const create = queries.useMutation("post", "/api/notifications/targets", {
    onSuccess: (target) => {
      onAdded(target);
      cache.invalidateQueries({ queryKey: TARGETS });
    },
  });
  const problem = create.error ? problemOf(create.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const fields = (kind?.fields ?? []).map((field) => [field.name, String(form.get(PREFIX + field.name))]);
    const body = {
      name: String(form.get("name")),
      kind: kind?.kind,
      fields: Object.fromEntries(fields),
      events: form.getAll("event") as EventName[],
      enabled: true,
    };
    create.mutate({ body }, { onSuccess: () => element.reset() });
  }

  return (
    <form className="stack gap-3" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} label="Name of the target">
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" placeholder="My phone" />}
      </Field>
      <Field error={problem?.field("kind")} label="Send by">
        {(control) => (
          <Select
            {...control}
            onChange={(event) => {
              setName(event.target.value as Kind["kind"]);
              create.reset();
            }}
            value={name}
          >
            {kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kind?.fields.map((field) => (
        <TargetField field={field} key={`${name} ${field.name}`} problem={problem} />
      ))}
      <fieldset className="stack gap-1.5">
        <legend className="mb-1 text-small font-medium">Tell it when</legend>
        {NAMES.map((each) => (
          <label className="flex items-center gap-2 text-small" key={each}>
            <input className="accent-accent" defaultChecked name="event" type="checkbox" value={each} />
            {EVENTS[each]}
          </label>
        ))}
      </fieldset>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <Button busy={create.isPending} className="self-start" type="submit">
        Add a target
      </Button>
    </form>
  );
}

function TargetField({ field, problem }: { field: KindField; problem: Problem | null }) {
  const name = PREFIX + field.name;
  return (
    <Field
      error={problem?.field(name)}
      hint={field.hint || undefined}
      label={field.required || field.choices.length > 0 ? field.label : `${field.label} (optional)`}
    >
      {(control) =>
        field.choices.length > 0 ? (
          <Select {...control} name={name}>
            {field.choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </Select>
        ) : (
          <Input
            {...control}
            autoComplete={field.secret ? "new-password" : "off"}
            name={name}
            placeholder={field.example}
            spellCheck={false}
            type={field.secret ? "password" : "text"}
          />
        )
      }
    </Field>
  );
}
