import { lazy, Suspense, useSyncExternalStore } from 'react'
import { openedLinks } from './opened-link.ts'

const LinkDialog = lazy(() => import('./link-dialog.tsx').then((part) => ({ default: part.LinkDialog })))

export function LinkPrompt() {
  const link = useSyncExternalStore(openedLinks.subscribe, openedLinks.waiting)
  return <Suspense>{link && <LinkDialog link={link} />}</Suspense>
}
