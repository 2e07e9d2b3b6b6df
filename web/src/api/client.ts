/** The client of the API: it sends the credentials, and turns every refusal into a `Problem`. */
import { QueryClient } from "@tanstack/react-query";
import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryHooks from "openapi-react-query";
import { problemIn, problemOf } from "@/api/problem";
import type { components, paths } from "@/api/schema";
import { expire, forgetVisitor, session } from "@/session/store";

export type Schemas = components["schemas"];

const ENTRANCES = ["/api/auth/register", "/api/auth/login"];
/** On these paths a 401 may mean a mistyped password, which does not end the session. */
const PASSWORD_CHECKS = [...ENTRANCES, "/api/auth/password", "DELETE /api/auth/me"];

/** The headers with the credentials; at login and registration also the visitor's token. Also for streams. */
export function identityHeaders(path = ""): Record<string, string> {
  const { accessToken, anonymousToken } = session.get();
  if (accessToken && !ENTRANCES.includes(path)) return { Authorization: `Bearer ${accessToken}` };
  return anonymousToken ? { "X-Anonymous-Token": anonymousToken } : {};
}

/**
 * Ends the session if this response refuses its token. Our own 401 has `WWW-Authenticate: Bearer`; a 401 of the
 * market-data provider, which is only passed on, does not concern the session.
 */
export function noticeRefusedToken(response: Response, headers: Headers): void {
  const asksForToken = /^bearer\b/i.test(response.headers.get("WWW-Authenticate") ?? "");
  if (response.status !== 401 || !asksForToken) return;
  const { accessToken, anonymousToken } = session.get();
  if (accessToken && headers.get("Authorization") === `Bearer ${accessToken}`) expire();
  else if (anonymousToken && headers.get("X-Anonymous-Token") === anonymousToken) forgetVisitor();
}

const identity: Middleware = {
  onRequest({ request, schemaPath }) {
    for (const [name, value] of Object.entries(identityHeaders(schemaPath))) request.headers.set(name, value);
  },
  async onResponse({ request, response, schemaPath }) {
    if (response.ok) return;
    const checksPassword = PASSWORD_CHECKS.some(
      (check) => check === schemaPath || check === `${request.method} ${schemaPath}`,
    );
    if (!checksPassword) noticeRefusedToken(response, request.headers);
    throw await problemIn(response);
  },
};

const MOST_MILLISECONDS = 60_000;

/** A server that does not answer is an error that can be retried, not an endless spinner. */
function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(MOST_MILLISECONDS)]) });
}

/** Calls that change something: `await api.POST("/api/bots", { body })`. Throws a `Problem`. */
export const api = createFetchClient<paths>({ baseUrl: location.origin, fetch: fetchInTime });
api.use(identity);

/** Queries and mutations for components: `queries.useQuery("get", "/api/bots")`. */
export const queries = createQueryHooks(api);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 1 && problemOf(error).mayPass,
        retryDelay: 800,
      },
    },
  });
}

export const queryClient = createQueryClient();

/** Clears the cache, so that the next user does not see data of the last one. */
let lastSeen = session.get().accessToken;
session.follow(() => {
  const { accessToken } = session.get();
  if (accessToken !== lastSeen) queryClient.clear();
  lastSeen = accessToken;
});
