import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function AccountScreen() {
  return (
    <Page title="Account">
      <Empty title="This screen is being built." />
    </Page>
  );
}
