import type { CellProps } from '../part-props.ts'
import { CellLink } from '../typed-text/cell-link.tsx'
import { shortUrl } from '../typed-text/ways.ts'

/** An address on the web, as the way there. */
export function UrlCell({ value }: CellProps<'url'>) {
  if (value === null) return null
  const short = shortUrl(value)
  return <CellLink href={value} text={short} from={value.indexOf(short)} />
}
