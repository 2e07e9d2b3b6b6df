import { Link, Redirect } from "wouter";
import { api } from "@/api/client";
import { Page } from "@/design/Page";
import { type Credentials, EntranceForm } from "@/screens/account/EntranceForm";
import { entrance, useReturnAddress } from "@/session/returning";
import { useSession } from "@/session/store";
import { VISITOR_SETTINGS } from "@/session/user";
import { welcome } from "@/session/welcome";

export default function RegisterScreen() {
  const { accessToken } = useSession();
  const next = useReturnAddress();
  if (accessToken) return <Redirect replace to={next} />;

  async function register(body: Credentials) {
    const { data } = await api.POST("/api/auth/register", { body });
    if (!data) return;
    welcome(data);
    // Times are shown in the user's own zone; if the server does not know it, in UTC.
    await api.PATCH("/api/auth/settings", { body: { timezone: VISITOR_SETTINGS.timezone } }).catch(() => undefined);
  }

  return (
    <Page lead="Free, and only an email is needed." title="Sign up" width="narrow">
      <EntranceForm action="Sign up" enter={register} isNew>
        Already have an account?{" "}
        <Link className="text-accent underline underline-offset-2" href={entrance("/login", next)}>
          Log in
        </Link>
      </EntranceForm>
    </Page>
  );
}
