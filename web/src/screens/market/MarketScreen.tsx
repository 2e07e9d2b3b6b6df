import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function MarketScreen() {
  return (
    <Page title="Market">
      <Empty title="This screen is being built." />
    </Page>
  );
}
