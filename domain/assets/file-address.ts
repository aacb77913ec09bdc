/** How long a signed address lives at least, in ms. */
const ADDRESS_LIFETIME_MS = 60 * 60 * 1000

/** Addresses signed within one such step are the same, so that a browser that has the picture asks no more, in ms. */
const ADDRESS_STEP_MS = 15 * 60 * 1000

/** When an address that is signed now ends, in seconds since 1970. */
export function addressEndsAtSeconds(now: Date): number {
  const stepEndsAtMs = Math.ceil(now.getTime() / ADDRESS_STEP_MS) * ADDRESS_STEP_MS
  return (stepEndsAtMs + ADDRESS_LIFETIME_MS) / 1000
}

/** What a signature vouches for: one file, in one width (null: as it is), until a moment. */
export type AddressClaim = { readonly file: string; readonly width: number | null; readonly endsAtSeconds: number }

/** The text that is signed. Its parts cannot run into one another: ids and numbers have no lines. */
export const printAddressClaim = ({ file, width, endsAtSeconds }: AddressClaim): string =>
  ['file-address', file, width ?? 'whole', endsAtSeconds].join('\n')
