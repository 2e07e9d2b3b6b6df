/** Formats of Intl by their options: to make one takes a hundred times as long as to use it. */
export function kept<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const known = new Map<string, Format>();
  return (options) => {
    const key = JSON.stringify(options);
    const format = known.get(key) ?? make(options);
    known.set(key, format);
    return format;
  };
}
