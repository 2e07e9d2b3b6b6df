import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function LoginScreen() {
  return (
    <Page title="Login">
      <Empty title="This screen is being built." />
    </Page>
  );
}
