import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function StartScreen() {
  return (
    <Page title="Start">
      <Empty title="This screen is being built." />
    </Page>
  );
}
