import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function RegisterScreen() {
  return (
    <Page title="Register">
      <Empty title="This screen is being built." />
    </Page>
  );
}
