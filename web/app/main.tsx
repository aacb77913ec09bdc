import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '#web/data/queries/query-client.ts'
import { versionState } from '#web/data/connection/connection-state.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useStore } from '#web/ui/store.ts'
import { UiProvider } from '#web/ui/theme/ui-provider.tsx'
import { toastStage } from '#web/ui/toast/notify.ts'
import {
  leaveToastsBehind,
  recheckSessionOnWake,
  refetchOnReconnect,
  reportMissingChunks,
  resetOnUserChange,
  showBranding,
} from './listeners.ts'
import { router } from './router.tsx'

resetOnUserChange(queryClient, router)
recheckSessionOnWake()
refetchOnReconnect(queryClient)
reportMissingChunks()
leaveToastsBehind(router)
showBranding()

function App() {
  return (
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <StatusBars />
        <RouterProvider router={router} />
        <ToastPlace />
      </QueryClientProvider>
    </UiProvider>
  )
}

const statusBars = lazyModule(() => import('#web/app/frame/status-bars.tsx'))

function StatusBars() {
  const isReachable = useIsReachable()
  const isOutdated = useStore(versionState.outdated)
  const { Bars } = useLazyModule(statusBars, !isReachable || isOutdated) ?? {}
  return Bars && <Bars />
}

function ToastPlace() {
  const { Toaster } = useLazyModule(toastStage, false) ?? {}
  return Toaster && <Toaster />
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
