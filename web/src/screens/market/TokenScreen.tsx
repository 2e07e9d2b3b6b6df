import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function TokenScreen({ tokenId }: { tokenId: string }) {
  return (
    <Page title="Token">
      <Empty title="This screen is being built.">{tokenId}</Empty>
    </Page>
  );
}
