import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function BotsScreen() {
  return (
    <Page title="Bots">
      <Empty title="This screen is being built." />
    </Page>
  );
}
