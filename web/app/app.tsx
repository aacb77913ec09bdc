import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#web/data/queries/query-client.ts'
import { useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { UiProvider } from '#web/ui/theme/ui-provider.tsx'
import { toastStage } from '#web/ui/toast/notify.ts'
import { refetchOnReconnect } from './listeners/on-reconnect.ts'
import { resetOnUserChange, recheckSessionOnWake } from './listeners/on-session-change.ts'
import { pollServerVersion } from './listeners/check-for-update.ts'
import { OfflineBar } from './frame/bars/offline-bar.tsx'
import { router } from './router.tsx'
import { blockStrayDrops } from './listeners/block-stray-drops.ts'
import { UpdateBar } from './frame/bars/update-bar.tsx'

resetOnUserChange(queryClient, router)
recheckSessionOnWake()
refetchOnReconnect(queryClient)
pollServerVersion()
blockStrayDrops()

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
