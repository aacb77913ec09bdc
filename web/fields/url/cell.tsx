import type { CellProps } from '../part-props.ts'
import { CellLink } from '../typed-text/cell-link.tsx'
import { shortAddress } from '../typed-text/ways.ts'

/** An address on the web, as the way there. */
export function UrlCell({ value }: CellProps<'url'>) {
  return value === null ? null : <CellLink href={value} text={shortAddress(value)} />
}
