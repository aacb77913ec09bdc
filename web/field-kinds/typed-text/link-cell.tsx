import type { MouseEvent } from 'react'
import { phoneDigits } from '#domain/fields/phone-digits.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { isSafeUrl } from '#web/ui/text/link-url.ts'
import '../field-kinds.css'

type CellLinkProps = {
  readonly href: string
  readonly text: string
  /** Start of the shown excerpt in the whole value. */
  readonly from?: number
}

/** A value as a link; an unsafe URL is shown as text. */
export function CellLink({ href, text, from = 0 }: CellLinkProps) {
  const shown = <Highlighted text={text} from={from} />
  if (!isSafeUrl(href)) return shown
  const isPage = href.startsWith('http')
  // The row itself is a link to the record.
  const stay = (event: MouseEvent) => event.stopPropagation()
  return (
    <a
      href={href}
      className="cell-link"
      tabIndex={-1}
      onClick={stay}
      {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {shown}
    </a>
  )
}

export const mailtoHref = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** A phone link; the extension is left out. */
export const telHref = (phone: string): string => `tel:${phoneDigits(phone.split('#')[0] ?? phone)}`

/** A URL without scheme, `www.` and trailing slash. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
