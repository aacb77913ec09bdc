import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#web/client/query-client.ts'
import { useLazyModule } from '#web/kit/later.ts'
import { UiProvider } from '#web/kit/theme/kit-provider.tsx'
import { toastStage } from '#web/kit/toast/notify.ts'
import { refetchOnReconnect } from './follow-connection.ts'
import { resetOnUserChange, recheckSessionOnWake } from './follow-session.ts'
import { pollServerVersion } from './follow-version.ts'
import { OfflineBar } from './offline-bar.tsx'
import { router } from './router.tsx'
import { blockStrayDrops } from './stop-stray-drops.ts'
import { UpdateBar } from './update-bar.tsx'

resetOnUserChange(queryClient, router)
recheckSessionOnWake()
refetchOnReconnect(queryClient)
pollServerVersion()
blockStrayDrops()

/** Everything a page needs around it, and the page itself. */
export function App() {
  return (
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <OfflineBar />
        <UpdateBar />
        <RouterProvider router={router} />
        <ToastPlace />
      </QueryClientProvider>
    </UiProvider>
  )
}

function ToastPlace() {
  const { Toaster } = useLazyModule(toastStage, false) ?? {}
  return Toaster ? <Toaster /> : null
}
