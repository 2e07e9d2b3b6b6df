import { useSyncExternalStore } from "react";

/** A value outside of React that components can follow. */
export class Store<Value> {
  #value: Value;
  #followers = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get = (): Value => this.#value;

  set = (value: Value): void => {
    this.#value = value;
    for (const follower of this.#followers) follower();
  };

  follow = (follower: () => void): (() => void) => {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.follow, store.get);
}
