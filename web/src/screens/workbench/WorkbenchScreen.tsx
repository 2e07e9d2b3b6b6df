import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export default function WorkbenchScreen({ botId }: { botId: string }) {
  return (
    <Page title="Workbench">
      <Empty title="This screen is being built.">{botId}</Empty>
    </Page>
  );
}
