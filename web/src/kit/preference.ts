/** How a person has arranged the app, remembered in this browser. */
import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";

const stores = new Map<string, Store<unknown>>();

/** The remembered value and a function that changes it, for every component that asks for this name. */
export function usePreference<Value>(name: string, first: Value): [Value, (value: Value) => void] {
  const store = storeOf(name, first);
  const set = (value: Value) => {
    remember(`strategybot.${name}`, JSON.stringify(value));
    store.set(value);
  };
  return [useStore(store), set];
}

function storeOf<Value>(name: string, first: Value): Store<Value> {
  const known = stores.get(name) as Store<Value> | undefined;
  const store = known ?? new Store<Value>(stored(name, first));
  stores.set(name, store as Store<unknown>);
  return store;
}

/** A value of another type was written by another version. */
function stored<Value>(name: string, first: Value): Value {
  try {
    const value: unknown = JSON.parse(recall(`strategybot.${name}`) ?? "null");
    return value === null || (first !== null && typeof value !== typeof first) ? first : (value as Value);
  } catch {
    return first;
  }
}
