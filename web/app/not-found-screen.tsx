import { type ReactNode, Suspense } from 'react'
import { useSession } from '#web/data/session/use-session.ts'
import { NotFoundPage } from '#web/pages/errors/not-found-page.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

/** Loaded on demand, because guests need no shell. */
const Frame = lazyComponent<'Frame', { readonly children: ReactNode }>(() => import('./frame/shell.tsx'), 'Frame')

export function NotFoundScreen() {
  const { status } = useSession()
  if (status !== 'signed-in')
    return (
      <main>
        <NotFoundPage />
      </main>
    )
  return (
    <Suspense>
      <Frame>
        <NotFoundPage />
      </Frame>
    </Suspense>
  )
}
