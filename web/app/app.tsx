import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#web/client/query-client.ts'
import { useLater } from '#web/kit/later.ts'
import { KitProvider } from '#web/kit/theme/kit-provider.tsx'
import { toastStage } from '#web/kit/toast/notify.ts'
import { followConnection } from './follow-connection.ts'
import { followSession, followWaking } from './follow-session.ts'
import { followVersion } from './follow-version.ts'
import { OfflineBar } from './offline-bar.tsx'
import { router } from './router.tsx'
import { stopStrayDrops } from './stop-stray-drops.ts'
import { UpdateBar } from './update-bar.tsx'

followSession(queryClient, router)
followWaking()
followConnection(queryClient)
followVersion()
stopStrayDrops()

/** Everything a page needs around it, and the page itself. */
export function App() {
  return (
    <KitProvider>
      <QueryClientProvider client={queryClient}>
        <OfflineBar />
        <UpdateBar />
        <RouterProvider router={router} />
        <ToastPlace />
      </QueryClientProvider>
    </KitProvider>
  )
}

function ToastPlace() {
  const { Toaster } = useLater(toastStage, false) ?? {}
  return Toaster ? <Toaster /> : null
}
