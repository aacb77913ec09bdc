import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import { CellLink } from '#web/field-kinds/typed-text/link-cell.tsx'
import { shortUrl } from '#web/field-kinds/typed-text/link-hrefs.ts'

/** An address on the web, as the way there. */
export function UrlCell({ value }: CellProps<'url'>) {
  if (value === null) return null
  const short = shortUrl(value)
  return <CellLink href={value} text={short} from={value.indexOf(short)} />
}
