import { expect, test } from "vitest";
import { api, identityHeaders, queryClient } from "@/api/client";
import { Problem, problemIn, problemOf, UNREACHABLE } from "@/api/problem";
import { becomeVisitor, enter, session } from "@/session/store";
import { serve } from "@/testing/server";

const REFUSED = { status: 401, body: { detail: "Not authenticated." }, headers: { "WWW-Authenticate": "Bearer" } };

test("a user's token takes precedence over a visitor's, and without either none is sent", async () => {
  const seen = serve({ "GET /api/bots": { body: {} } });
  await api.GET("/api/bots");
  becomeVisitor("anonymous");
  await api.GET("/api/bots");
  enter("token");
  await api.GET("/api/bots");
  const sent = seen.map(({ headers }) => [headers.get("Authorization"), headers.get("X-Anonymous-Token")]);
  expect(sent).toEqual([
    [null, null],
    [null, "anonymous"],
    ["Bearer token", null],
  ]);
});

test("at login the visitor's token is sent, and an old login is not", () => {
  becomeVisitor("anonymous");
  session.set({ ...session.get(), accessToken: "old" });
  expect(identityHeaders("/api/auth/login")).toEqual({ "X-Anonymous-Token": "anonymous" });
  expect(identityHeaders("/api/bots")).toEqual({ Authorization: "Bearer old" });
});

test("a refused token ends the session", async () => {
  serve({ "GET /api/bots": REFUSED });
  enter("token");
  await expect(api.GET("/api/bots")).rejects.toThrow("Not authenticated.");
  expect(session.get()).toMatchObject({ accessToken: null, expired: true });
});

test("a refused visitor token creates a new visitor, and no session has expired", async () => {
  serve({ "GET /api/bots": REFUSED });
  becomeVisitor("anonymous");
  await expect(api.GET("/api/bots")).rejects.toThrow();
  expect(session.get()).toEqual({ accessToken: null, anonymousToken: null, expired: false });
});

test("a 401 of the market-data provider does not end the session", async () => {
  serve({ "GET /api/market/tokens/trending": { status: 401, body: { detail: "upstream API error: bad key" } } });
  enter("token");
  await expect(api.GET("/api/market/tokens/trending")).rejects.toThrow();
  expect(session.get()).toMatchObject({ accessToken: "token", expired: false });
});

test("a mistyped password does not end the session", async () => {
  serve({ "POST /api/auth/password": REFUSED, "DELETE /api/auth/me": REFUSED });
  enter("token");
  const body = { current_password: "wrong", new_password: "whatever" };
  await expect(api.POST("/api/auth/password", { body })).rejects.toThrow();
  await expect(api.DELETE("/api/auth/me", { body: { password: "wrong" } })).rejects.toThrow();
  expect(session.get().accessToken).toBe("token");
});

test("a refusal of a token that was replaced meanwhile does not end the session", async () => {
  serve({
    "GET /api/bots": () => {
      enter("new");
      return REFUSED;
    },
  });
  enter("old");
  await expect(api.GET("/api/bots")).rejects.toThrow();
  expect(session.get()).toMatchObject({ accessToken: "new", expired: false });
});

test("cached data is cleared when another user logs in", () => {
  enter("ada");
  queryClient.setQueryData(["secret"], "of ada");
  enter("ben");
  expect(queryClient.getQueryData(["secret"])).toBeUndefined();
});

test("a refusal becomes a problem with all its fields", async () => {
  serve({
    "POST /api/bots": {
      status: 422,
      body: { detail: "The input is not valid.", errors: [{ field: "name", message: "is too long" }] },
    },
    "GET /api/bots": { status: 403, body: { detail: "No more.", upsell_message: "The pro tier has more." } },
  });
  const invalid = problemOf(await api.POST("/api/bots", { body: { name: "x" } }).catch((error) => error));
  expect([invalid.status, invalid.field("name"), invalid.field("token"), invalid.mayPass]).toEqual([
    422,
    "is too long",
    undefined,
    false,
  ]);
  const refused = problemOf(await api.GET("/api/bots").catch((error) => error));
  expect(refused.upsell).toBe("The pro tier has more.");
});

test.each([
  [new TypeError("Failed to fetch"), 0, UNREACHABLE, true],
  [new Problem(429, "Too many."), 429, "Too many.", true],
  [new Error(""), 500, "Something went wrong.", true],
  [new Problem(404, "Not found."), 404, "Not found.", false],
])("%s can be shown", (error, status, detail, mayPass) => {
  expect(problemOf(error)).toMatchObject({ status, detail, mayPass });
});

test("a response that is no JSON gets our own message", async () => {
  const problem = await problemIn(
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Retry-After": "7" } }),
  );
  expect(problem).toMatchObject({ detail: "The server answered 502.", retryAfterSeconds: 7, upsell: null });
});
