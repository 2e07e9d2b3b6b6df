import type { ReactNode } from "react";

/** Line icons on a 16-pixel grid. They are decorative, because a text stands beside them. */
function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.5"
      viewBox="0 0 16 16"
      width={size}
    >
      {children}
    </svg>
  );
}

const icon = (children: ReactNode) => (props: { size?: number }) => <Icon {...props}>{children}</Icon>;

export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const SearchIcon = icon(<path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14" />);
export const CloseIcon = icon(<path d="m4 4 8 8m0-8-8 8" />);
export const ArrowRightIcon = icon(<path d="M3 8h10m-4-4 4 4-4 4" />);
export const ChevronDownIcon = icon(<path d="m4 6 4 4 4-4" />);
export const MoveIcon = icon(<path d="M5.5 6.5 8 4l2.5 2.5M5.5 9.5 8 12l2.5-2.5" />);
export const WarningIcon = icon(
  <path d="M8 6v3m0 2.5v.01M7.1 2.6 1.7 12a1 1 0 0 0 .9 1.5h10.8a1 1 0 0 0 .9-1.5L8.9 2.6a1 1 0 0 0-1.8 0Z" />,
);
export const CheckIcon = icon(<path d="m3 8.5 3.2 3.2L13 5" />);
export const InfoIcon = icon(<path d="M8 7.5V11m0-6v.01M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z" />);
export const PlayIcon = icon(<path d="M5 3.5v9l7-4.5-7-4.5Z" />);
export const PauseIcon = icon(<path d="M5.5 3.5v9M10.5 3.5v9" />);
export const StopIcon = icon(<rect height="8" rx="1.5" width="8" x="4" y="4" />);
export const RetryIcon = icon(<path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5" />);
export const UndoIcon = icon(<path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6" />);
export const CopyIcon = icon(<path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z" />);
export const TrashIcon = icon(<path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9" />);
export const DownloadIcon = icon(<path d="M8 2.5v8m-3-3 3 3 3-3M3 13.5h10" />);
export const SendIcon = icon(<path d="M8 13V3M4 7l4-4 4 4" />);
export const SunIcon = icon(
  <path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7" />,
);
export const MoonIcon = icon(<path d="M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6Z" />);

/** The logo: three candles, the middle one darker. */
export function Mark({ size = 24 }: { size?: number }) {
  return <img alt="" height={size} src="/favicon.svg" width={size} />;
}
