import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { OfflineBar, UpdateBar } from '#web/app/frame/status-bars.tsx'
import { queryClient } from '#web/data/queries/query-client.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { UiProvider } from '#web/ui/theme/ui-provider.tsx'
import { toastStage } from '#web/ui/toast/notify.ts'
import {
  blockStrayDrops,
  leaveToastsBehind,
  pollServerVersion,
  prepareForOffline,
  recheckSessionOnWake,
  refetchOnReconnect,
  resetOnUserChange,
  showBranding,
} from './listeners.ts'
import { router } from './router.tsx'

resetOnUserChange(queryClient, router)
recheckSessionOnWake()
refetchOnReconnect(queryClient)
pollServerVersion()
blockStrayDrops()
leaveToastsBehind(router)
showBranding()
prepareForOffline(queryClient)

function App() {
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

void sessionActions.restoreSession()

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
