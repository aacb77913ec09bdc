import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type AppLinkProps = {
  readonly href: string
  readonly className?: string
  readonly tabIndex?: -1
  readonly children: ReactNode
}

/** Whether a click stays in this page; with a key held the browser opens a new tab or window. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey

/** A link inside the app for places that draw hundreds of them: no preloading, no watching of the address. */
export function AppLink({ href, children, ...rest }: AppLinkProps) {
  const { history } = useRouter()
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    event.stopPropagation()
    history.push(href)
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
