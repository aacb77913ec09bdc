import type { MouseEvent } from 'react'
import { isSafeAddress } from '#web/kit/link-address.ts'
import '../fields.css'

type CellLinkProps = { readonly href: string; readonly text: string }

/** A value of a list as a way out of it; what may not be followed is text. */
export function CellLink({ href, text }: CellLinkProps) {
  if (!isSafeAddress(href)) return text
  const isPage = href.startsWith('http')
  // The row around it is a way to the record.
  const stay = (event: MouseEvent) => event.stopPropagation()
  return (
    <a
      href={href}
      className="cell-link"
      tabIndex={-1}
      onClick={stay}
      {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {text}
    </a>
  )
}
