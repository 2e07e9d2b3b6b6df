import { ButtonLink } from "@/design/Button";
import { Page } from "@/design/Page";
import { Empty } from "@/design/States";

export function MissingScreen() {
  return (
    <Page title="Not found">
      <Empty action={<ButtonLink href="/">Go to the start</ButtonLink>} title="There is nothing at this address.">
        The link may be old, or a letter may be missing.
      </Empty>
    </Page>
  );
}
