import { expect, test } from "vitest";
import { becomeVisitor, enter, expire, leave, session } from "@/session/store";

test("a visitor who enters takes the work along, so the anonymous token ends", () => {
  becomeVisitor("anonymous");
  expect(session.get()).toMatchObject({ accessToken: null, anonymousToken: "anonymous" });
  enter("token");
  expect(session.get()).toEqual({ accessToken: "token", anonymousToken: null, expired: false });
  expect(localStorage.getItem("strategybot.anonymous-token")).toBeNull();
});

test("an expired session is remembered until the next login, one that was left is not", () => {
  enter("token");
  expire();
  expect(session.get()).toEqual({ accessToken: null, anonymousToken: null, expired: true });
  expect(localStorage.getItem("strategybot.expired")).toBe("yes");
  enter("another");
  leave();
  expect(session.get().expired).toBe(false);
  expect(localStorage.getItem("strategybot.access-token")).toBeNull();
});

test("followers hear of each change until they stop", () => {
  const heard: (string | null)[] = [];
  const stop = session.follow(() => heard.push(session.get().accessToken));
  enter("one");
  stop();
  enter("two");
  expect(heard).toEqual(["one"]);
});
