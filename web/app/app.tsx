import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '#web/data/queries/query-client.ts'
import { useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { UiProvider } from '#web/ui/theme/ui-provider.tsx'
import { toastStage } from '#web/ui/toast/notify.ts'
import {
  blockStrayDrops,
  pollServerVersion,
  recheckSessionOnWake,
  refetchOnReconnect,
  resetOnUserChange,
} from './listeners.ts'
import { OfflineBar, UpdateBar } from './frame/status-bars.tsx'
import { router } from './router.tsx'

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
