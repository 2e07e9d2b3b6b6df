import { Link, Redirect } from "wouter";
import { api } from "@/api/client";
import { Page } from "@/design/Page";
import { Note } from "@/design/States";
import { type Credentials, EntranceForm } from "@/screens/account/EntranceForm";
import { entrance, useReturnAddress } from "@/session/returning";
import { useSession } from "@/session/store";
import { welcome } from "@/session/welcome";

export default function LoginScreen() {
  const { accessToken, expired } = useSession();
  const next = useReturnAddress();
  if (accessToken) return <Redirect replace to={next} />;

  async function logIn(body: Credentials) {
    const { data } = await api.POST("/api/auth/login", { body });
    if (data) welcome(data);
  }

  return (
    <Page title="Log in" width="narrow">
      {expired && <Note>Your session has ended. Log in to go on where you were.</Note>}
      <EntranceForm action="Log in" enter={logIn} isNew={false}>
        New here?{" "}
        <Link className="text-accent underline underline-offset-2" href={entrance("/register", next)}>
          Sign up for free
        </Link>
      </EntranceForm>
      <Note>
        Forgotten your password? The operator of this server can set a new one for you with{" "}
        <code className="font-mono">strategybot user reset-password</code> and your email.
      </Note>
    </Page>
  );
}
