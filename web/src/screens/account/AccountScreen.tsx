import { api } from "@/api/client";
import { Button } from "@/design/Button";
import { Page } from "@/design/Page";
import { DeletionCard } from "@/screens/account/DeletionCard";
import { PasswordCard } from "@/screens/account/PasswordCard";
import { SettingsCard } from "@/screens/account/SettingsCard";
import { TargetsCard } from "@/screens/account/TargetsCard";
import { TierCard } from "@/screens/account/TierCard";
import { TokensCard } from "@/screens/account/TokensCard";
import { SignedIn } from "@/session/SignedIn";
import { leave, useSession } from "@/session/store";
import { useMe } from "@/session/user";

export default function AccountScreen() {
  const { accessToken } = useSession();
  const { data: me } = useMe();
  return (
    <Page actions={accessToken && <LogOut />} lead={me?.email ?? "\u00a0"} title="Account" width="column">
      <SignedIn why="Your tier, your settings and your password are kept here.">
        <SettingsCard />
        <TierCard />
        <TargetsCard />
        <TokensCard />
        <PasswordCard />
        <DeletionCard />
      </SignedIn>
    </Page>
  );
}

function LogOut() {
  async function logOut() {
    // The session ends here in any case, even if the server cannot be reached.
    await api.POST("/api/auth/logout").catch(() => undefined);
    leave();
  }
  return <Button onClick={logOut}>Log out</Button>;
}
