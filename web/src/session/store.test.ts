import { expect, test } from "vitest";
import { becomeVisitor, enter, expire, leave, session } from "@/session/store";

test("after a login the visitor's work is moved, so the anonymous token is deleted", () => {
  becomeVisitor("anonymous");
  expect(session.get()).toMatchObject({ accessToken: null, anonymousToken: "anonymous" });
  enter("token");
  expect(session.get()).toEqual({ accessToken: "token", anonymousToken: null, expired: false });
  expect(localStorage.getItem("strategybot.anonymous-token")).toBeNull();
});

test("an expired session is remembered until the next login, a logout is not", () => {
  enter("token");
  expire();
  expect(session.get()).toEqual({ accessToken: null, anonymousToken: null, expired: true });
  expect(localStorage.getItem("strategybot.expired")).toBe("yes");
  enter("another");
  leave();
  expect(session.get().expired).toBe(false);
  expect(localStorage.getItem("strategybot.access-token")).toBeNull();
});

test("followers are called at each change until they unsubscribe", () => {
  const heard: (string | null)[] = [];
  const stop = session.follow(() => heard.push(session.get().accessToken));
  enter("one");
  stop();
  enter("two");
  expect(heard).toEqual(["one"]);
});
